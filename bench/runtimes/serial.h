// SPDX-License-Identifier: MIT
//
// The serial elisions: the C programs of clones.h with their spawns and syncs left out, each in a
// file of its own, compiled with the flags of all the others. They are the T_s that every ratio of
// the grid is measured against.
#pragma once

#ifdef __cplusplus
extern "C" {
#endif

/// The n-th Fibonacci number by the doubly recursive definition. n >= 0.
long bench_fib_serial(long n);

/// The same with as much of the recursion inlined as the compiler likes.
long bench_fib_inlined(long n);

/// How many ways there are to place n queens on an n by n board. 1 <= n <= BENCH_QUEENS_MAX.
int bench_nqueens_serial(int n);

/// Sorts array[0 .. n-1] into ascending order; scratch holds n more elements. n >= 0.
void bench_cilksort_serial(int *array, int *scratch, long n);

/// c += a * b for matrices of side x side doubles in the layout of matmul/matmul.h; c overlaps
/// neither. side is BENCH_TILE times a power of two.
void bench_matmul_serial(double *c, const double *a, const double *b, long side);

/// c = a * b for the same, by seven products in place of eight down to BENCH_STRASSEN_CUTOFF. Takes
/// memory as it goes.
void bench_strassen_serial(double *c, const double *a, const double *b, long side);

/// BENCH_HEAT_STEPS steps of a grid of n x n points with a border of zeros, as heat/heat.h
/// lays it out; `other` is a second one, whose border is zeros too. n >= 1.
void bench_heat_serial(double *grid, double *other, long n);

#ifdef __cplusplus
}
#endif
