// SPDX-License-Identifier: MIT
// nqueens as Lace's tasks.
#include "runtimes/lace.hpp"

#include "nqueens/nqueens.hpp"

#include <cstring>

namespace saguaro::bench {

namespace {

TASK_3(int, queens_task, int, n, int, row, const signed char *, board) {
    if (row == n)
        return 1;
    signed char boards[BENCH_QUEENS_MAX][BENCH_QUEENS_MAX];
    int spawned = 0;
    for (int column = 0; column < n; column++) {
        std::memcpy(boards[column], board, static_cast<std::size_t>(row));
        boards[column][row] = static_cast<signed char>(column);
        if (bench_queens_safe(row + 1, boards[column])) {
            SPAWN(queens_task, n, row + 1, boards[column]);
            spawned++;
        }
    }
    int solutions = 0;
    for (; spawned > 0; spawned--)
        solutions += SYNC(queens_task);
    return solutions;
}

int solve(int n) {
    const signed char board[BENCH_QUEENS_MAX] = {};
    return RUN(queens_task, n, 0, board);
}

} // namespace

double nqueens_lace(long n, int workers) {
    return measure_nqueens<lace_runtime>(n, workers, solve);
}

} // namespace saguaro::bench
