// SPDX-License-Identifier: MIT
// heat as Lace's tasks.
#include "runtimes/lace.hpp"

#include "heat/heat.hpp"

namespace saguaro::bench {

namespace {

VOID_TASK_5(heat_task, double *, to, const double *, from, long, n, long, first, long, last) {
    if (last - first <= BENCH_HEAT_ROWS) {
        bench_heat_rows(to, from, n, first, last);
        return;
    }
    long middle = first + (last - first) / 2;
    SPAWN(heat_task, to, from, n, first, middle);
    CALL(heat_task, to, from, n, middle, last);
    SYNC(heat_task);
}

VOID_TASK_3(heat_steps, double *, grid, double *, other, long, n) {
    for (int i = 0; i < BENCH_HEAT_STEPS; i += 2) {
        CALL(heat_task, other, grid, n, 1, n + 1);
        CALL(heat_task, grid, other, n, 1, n + 1);
    }
}

void solve(double *grid, double *other, long n) {
    RUN(heat_steps, grid, other, n);
}

} // namespace

double heat_lace(long n, int workers) {
    return measure_heat<lace_runtime>(n, workers, solve);
}

} // namespace saguaro::bench
