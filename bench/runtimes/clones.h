// SPDX-License-Identifier: MIT
//
// The kernels as a translator would write them in C: fast clone, slow clone, ordinary entry, one
// kernel a file (each clones.c). Only the ordinary entries are visible here; they take what the
// serial elisions of serial.h take. Call them inside saguaro::run: outside it each call
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

/// c += a * b for matrices of side x side doubles in the layout of matmul/matmul.h; c
/// overlaps neither. side is BENCH_TILE times a power of two.
void bench_matmul_c(double *c, const double *a, const double *b, long side);

/// c = a * b for the same, by seven products in place of eight down to BENCH_STRASSEN_CUTOFF. Takes
/// memory as it goes.
void bench_strassen_c(double *c, const double *a, const double *b, long side);

/// BENCH_HEAT_STEPS steps of a grid of n x n points with a border of zeros, as heat/heat.h
/// lays it out; `other` is a second one, whose border is zeros too. n >= 1.
void bench_heat_c(double *grid, double *other, long n);

#ifdef __cplusplus
}
#endif
