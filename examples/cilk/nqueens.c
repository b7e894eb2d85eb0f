// SPDX-License-Identifier: MIT
//
// All ways to place n queens on a board of n x n squares so that none attacks another, counted in
// a reducer: each strand adds to a view of its own, without locks and without races.
#include "example.h"

#include <cilk/cilk.h>
#include <string.h>

enum { most_queens = 16 };

/// The queens placed so far: the column of each row.
struct board {
    signed char column[most_queens];
};

static void zero(void *view) {
    *(long *)view = 0;
}

static void add(void *left, void *right) {
    *(long *)left += *(const long *)right;
}

static long cilk_reducer(zero, add) solutions;

/// Whether no two queens of the first `rows` attack each other. All pairs, though the last row's
/// would do: the n-queens of Cilk-5, OpenCilk and Lace do so, and figures of the same work can be
/// compared.
static int safe(const struct board *board, int rows) {
    for (int i = 0; i < rows; i++) {
        for (int j = i + 1; j < rows; j++) {
            int apart = board->column[j] - board->column[i];
            if (apart == 0 || apart == j - i || apart == i - j)
                return 0;
        }
    }
    return 1;
}

/// Counts the solutions that begin with the first `row` rows of `board`.
static void place(struct board board, int row, int n) {
    if (row == n) {
        solutions += 1;
        return;
    }
    for (int column = 0; column < n; column++) {
        board.column[row] = (signed char)column;
        if (safe(&board, row + 1))
            cilk_spawn place(board, row + 1, n);
    }
    cilk_sync;
}

static long count(int n) {
    struct board board;
    memset(&board, 0, sizeof board);
    solutions = 0;
    place(board, 0, n);
    return solutions;
}

static int is_right(long n, long result) {
    // The sequence A000170 of the On-Line Encyclopedia of Integer Sequences.
    static const long known[most_queens + 1] = {
        1, 1, 0, 0, 2, 10, 4, 40, 92, 352, 724, 2680, 14200, 73712, 365596, 2279184, 14772512};
    return result == known[n];
}

static const struct example program = {
    .name = "nqueens",
    .meaning = "All ways to place n queens so that none attacks another, counted by a reducer",
    .size = {"N", "the queens, and the side of the board", 12, 1, most_queens},
};

int main(int argc, char *argv[]) {
    struct example_run run = example_begin(argc, argv, &program);
    double start = example_seconds();
    long result = count((int)run.size);
    double seconds = example_seconds() - start;
    return example_end(&run, seconds, is_right(run.size, result), "%ld queens: %ld solutions",
                       run.size, result);
}
