// SPDX-License-Identifier: MIT
// nqueens' serial elision, the base of its ratios.
#include "nqueens/nqueens.h"

#include <string.h>

// Each square gets a board of its own, as it must when its subtree is spawned: the copy belongs to
// the program and stays in its elision.
static int place(int n, int row, const signed char *board) {
    if (row == n)
        return 1;
    int count = 0;
    for (int column = 0; column < n; column++) {
        signed char child[BENCH_QUEENS_MAX];
        memcpy(child, board, (size_t)row);
        child[row] = (signed char)column;
        if (bench_queens_safe(row + 1, child))
            count += place(n, row + 1, child);
    }
    return count;
}

int bench_nqueens_serial(int n) {
    signed char board[BENCH_QUEENS_MAX] = {0};
    return place(n, 0, board);
}
