// SPDX-License-Identifier: MIT
// fib as Lace's tasks.
#include "runtimes/lace.hpp"

#include "fib/fib.hpp"

namespace saguaro::bench {

namespace {

TASK_1(long, fib_task, long, n) {
    if (n < 2)
        return n;
    SPAWN(fib_task, n - 1);
    long b = CALL(fib_task, n - 2);
    long a = SYNC(fib_task);
    return a + b;
}

long solve(long n) {
    return RUN(fib_task, n);
}

} // namespace

double fib_lace(long n, int workers) {
    return measure_fib<lace_runtime>(n, workers, solve);
}

} // namespace saguaro::bench
