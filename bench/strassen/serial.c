// SPDX-License-Identifier: MIT
// strassen's serial elision, the base of its ratios.
#include "strassen/strassen.h"

void bench_strassen_serial(double *c, const double *a, const double *b, long side) {
    if (side <= BENCH_STRASSEN_CUTOFF) {
        bench_strassen_leaf(c, a, b, side);
        return;
    }
    struct bench_strassen level = bench_strassen_begin(c, a, b, side);
    for (int step = 0; step < 7; step++) {
        struct bench_product p = bench_strassen_step(&level, step);
        bench_strassen_serial(p.c, p.a, p.b, side / 2);
    }
    bench_strassen_end(&level);
}
