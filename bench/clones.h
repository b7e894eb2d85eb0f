// SPDX-License-Identifier: MIT
//
// The kernels as a translator would write them in C: fast clone, slow clone, ordinary entry, one
// kernel a file (clones_*.c). Only the ordinary entries are visible here; they take what the
// serial elisions of kernels/serial.h take. Call them inside saguaro::run: outside it each call
// would pay for entering the runtime.
#pragma once

#ifdef __cplusplus
extern "C" {
#endif

/// The n-th Fibonacci number, each call but the leaves spawning one child; no cutoff. n >= 0.
long bench_fib_c(long n);

/// How many ways there are to place n queens on an n by n board, a spawn for every safe square.
/// 1 <= n <= BENCH_QUEENS_MAX.
int bench_nqueens_c(int n);

/// Sorts array[0 .. n-1] into ascending order. scratch holds n more elements, which do not overlap
/// array; what it holds afterwards means nothing. n >= 0.
void bench_cilksort_c(int *array, int *scratch, long n);

#ifdef __cplusplus
}
#endif
