// SPDX-License-Identifier: MIT
// heat's serial elision, the base of its ratios.
#include "heat/heat.h"

static void step(double *to, const double *from, long n, long first, long last) {
    if (last - first <= BENCH_HEAT_ROWS) {
        bench_heat_rows(to, from, n, first, last);
        return;
    }
    long middle = first + (last - first) / 2;
    step(to, from, n, first, middle);
    step(to, from, n, middle, last);
}

void bench_heat_serial(double *grid, double *other, long n) {
    for (int i = 0; i < BENCH_HEAT_STEPS; i += 2) {
        step(other, grid, n, 1, n + 1);
        step(grid, other, n, 1, n + 1);
    }
}
