// SPDX-License-Identifier: MIT
//
// What every form of n-queens shares, in C and in C++. A board is an array of columns, one a row.
#pragma once

/// The largest board: what the arrays of the kernels hold.
#define BENCH_QUEENS_MAX 16

/// Whether no two of the queens in rows 0 .. rows-1 attack each other.
///
/// All pairs are looked at again for each new queen, though the last row would do: so do the
/// examples of Cilk-5, OpenCilk and Lace, and only with the same work can figures be compared.
static inline int bench_queens_safe(int rows, const signed char *board) {
    for (int i = 0; i < rows; i++) {
        for (int j = i + 1; j < rows; j++) {
            int apart = board[j] - board[i];
            if (apart == 0 || apart == j - i || apart == i - j)
                return 0;
        }
    }
    return 1;
}

#ifdef __cplusplus
extern "C" {
#endif

/// How many ways there are to place n queens on an n by n board; the serial elision of the clones.
/// 1 <= n <= BENCH_QUEENS_MAX.
int bench_nqueens_serial(int n);

/// The same by clones, a spawn for every safe square. Call it inside saguaro::run.
int bench_nqueens_c(int n);

#ifdef __cplusplus
}
#endif
