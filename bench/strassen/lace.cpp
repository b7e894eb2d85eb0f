// SPDX-License-Identifier: MIT
// strassen as Lace's tasks.
#include "runtimes/lace.hpp"

#include "strassen/strassen.hpp"

namespace saguaro::bench {

namespace {

VOID_TASK_4(strassen_task, double *, c, const double *, a, const double *, b, long, side) {
    if (side <= BENCH_STRASSEN_CUTOFF) {
        bench_strassen_leaf(c, a, b, side);
        return;
    }
    bench_strassen level = bench_strassen_begin(c, a, b, side);
    for (int step = 0; step < 6; step++) {
        bench_product p = bench_strassen_step(&level, step);
        SPAWN(strassen_task, p.c, p.a, p.b, side / 2);
    }
    bench_product last = bench_strassen_step(&level, 6);
    CALL(strassen_task, last.c, last.a, last.b, side / 2);
    for (int step = 0; step < 6; step++)
        SYNC(strassen_task);
    bench_strassen_end(&level);
}

void solve(double *c, const double *a, const double *b, long side) {
    RUN(strassen_task, c, a, b, side);
}

} // namespace

double strassen_lace(long n, int workers) {
    return measure_product<lace_runtime>(n, workers, solve);
}

} // namespace saguaro::bench
