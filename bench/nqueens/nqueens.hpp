// SPDX-License-Identifier: MIT
//
// nqueens: a search tree with irregular branches, a spawn for every safe square.
#pragma once

#include "driver/measure.hpp"
#include "nqueens/nqueens.h"

#include <cstddef>
#include <cstring>

namespace saguaro::bench {

/// How many solutions n queens have, n = 0 .. BENCH_QUEENS_MAX (OEIS A000170).
inline constexpr int nqueens_counts[BENCH_QUEENS_MAX + 1] = {
    1, 1, 0, 0, 2, 10, 4, 40, 92, 352, 724, 2680, 14200, 73712, 365596, 2279184, 14772512};

template <typename runtime>
int place_queens(int n, int row, const signed char *board);

/// The solutions that start with the board's first rows and a queen of this row in `column` or
/// right of it. The first safe square is one arm of the invoke and all others are the other arm,
/// which makes as many forks as a loop that spawns: what a thief takes is the rest of the row.
template <typename runtime>
int place_from(int n, int row, int column, const signed char *board) {
    for (; column < n; column++) {
        signed char child[BENCH_QUEENS_MAX];
        std::memcpy(child, board, static_cast<std::size_t>(row));
        child[row] = static_cast<signed char>(column);
        if (bench_queens_safe(row + 1, child)) {
            auto [here, right] =
                runtime::invoke([&] { return place_queens<runtime>(n, row + 1, child); },
                                [&] { return place_from<runtime>(n, row, column + 1, board); });
            return here + right;
        }
    }
    return 0;
}

/// The solutions that start with the board's first `row` rows.
template <typename runtime>
int place_queens(int n, int row, const signed char *board) {
    return row == n ? 1 : place_from<runtime>(n, row, 0, board);
}

/// All solutions. 1 <= n <= BENCH_QUEENS_MAX.
template <typename runtime>
int nqueens(int n) {
    signed char board[BENCH_QUEENS_MAX] = {};
    return place_queens<runtime>(n, 0, board);
}

/// The seconds that compute(n) takes inside the runtime; its count is checked.
template <typename runtime>
double measure_nqueens(long n, int workers, int (*compute)(int)) {
    int got = 0;
    double seconds = measure<runtime>(workers, [&] { got = compute(static_cast<int>(n)); });
    expect_equal(nqueens_counts[n], got);
    return seconds;
}

// The variants, by file. Each solves the problem once, checks the answer and returns the seconds.

double nqueens_saguaro_c(long n, int workers);      // clones.c, measured in saguaro.cpp
double nqueens_saguaro_invoke(long n, int workers); // saguaro.cpp
double nqueens_tbb(long n, int workers);            // tbb.cpp
double nqueens_openmp(long n, int workers);         // openmp.cpp, in a program of its own
double nqueens_lace(long n, int workers);           // lace.cpp, in a program of its own

} // namespace saguaro::bench
