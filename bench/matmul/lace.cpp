// SPDX-License-Identifier: MIT
// matmul as Lace's tasks.
#include "runtimes/lace.hpp"

#include "matmul/matmul.hpp"

namespace saguaro::bench {

namespace {

VOID_TASK_4(matmul_task, double *, c, const double *, a, const double *, b, long, side) {
    if (side == BENCH_TILE) {
        bench_tile_multiply(c, a, b);
        return;
    }
    for (int step = 0; step < 8; step++) {
        bench_product p = bench_matmul_step(c, a, b, side, step);
        if (step % 4 != 3) {
            SPAWN(matmul_task, p.c, p.a, p.b, side / 2);
            continue;
        }
        CALL(matmul_task, p.c, p.a, p.b, side / 2);
        SYNC(matmul_task);
        SYNC(matmul_task);
        SYNC(matmul_task);
    }
}

void solve(double *c, const double *a, const double *b, long side) {
    RUN(matmul_task, c, a, b, side);
}

} // namespace

double matmul_lace(long n, int workers) {
    return measure_product<lace_runtime>(n, workers, solve);
}

} // namespace saguaro::bench
