// SPDX-License-Identifier: MIT
//
// The step of a few rows of heat, common to all its forms in C and in C++. A grid of n x n points
// has a border of zeros that nobody writes, so it is n + 2 rows of n + 2 doubles.
#pragma once

/// How many steps a run makes. Even: the last one writes where the first one read.
#define BENCH_HEAT_STEPS 100

/// Up to this many rows are stepped serially.
#define BENCH_HEAT_ROWS 10

/// How much of the difference to its two neighbours in a direction a point takes over in a step.
#define BENCH_HEAT_SHARE 0.2

/// Two doubles side by side, wherever they stand; see bench_pair in matmul/matmul.h.
typedef double bench_loose_pair __attribute__((vector_size(16), aligned(8), may_alias));

/// Points (first, column) to (last - 1, column) of `to`, a step behind `from`; rows and columns are
/// counted from 1, the border is row and column 0 and n + 1.
static inline void bench_heat_rows(double *to, const double *from, long n, long first, long last) {
    long width = n + 2;
    for (long row = first; row < last; row++) {
        const double *above = from + (row - 1) * width;
        const double *here = above + width;
        const double *below = here + width;
        double *out = to + row * width;
        long column = 1;
        for (; column < n; column += 2) {
#define PAIR(at) (*(const bench_loose_pair *)(at))
            bench_loose_pair sides = PAIR(here + column - 1) + PAIR(here + column + 1);
            bench_loose_pair ends = PAIR(above + column) + PAIR(below + column);
            bench_loose_pair old = PAIR(here + column);
#undef PAIR
            *(bench_loose_pair *)(out + column) = old + BENCH_HEAT_SHARE * (sides + ends - 4 * old);
        }
        if (column == n) {
            double sides = here[n - 1] + here[n + 1];
            double ends = above[n] + below[n];
            out[n] = here[n] + BENCH_HEAT_SHARE * (sides + ends - 4 * here[n]);
        }
    }
}

#ifdef __cplusplus
extern "C" {
#endif

/// BENCH_HEAT_STEPS steps of a grid of n x n points, serially; `other` is a second grid. The
/// borders of both are zeros. n >= 1.
void bench_heat_serial(double *grid, double *other, long n);

/// The same by clones. Call it inside saguaro::run.
void bench_heat_c(double *grid, double *other, long n);

#ifdef __cplusplus
}
#endif
