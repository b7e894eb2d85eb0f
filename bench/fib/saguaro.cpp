// SPDX-License-Identifier: MIT
// fib on Saguaro: as clones in C, with parallel_invoke, and with a scope.
#include "runtimes/saguaro.hpp"

#include "fib/fib.h"
#include "fib/fib.hpp"

namespace saguaro::bench {

namespace {

// A scope has no counterpart in the other runtimes' kernels: its child runs at once and what is
// stolen is the continuation.
long fib_scope(long n) {
    if (n < 2)
        return n;
    long a = 0;
    saguaro::scope children;
    children.spawn([&a, n] { a = fib_scope(n - 1); });
    long b = fib_scope(n - 2);
    children.sync();
    return a + b;
}

} // namespace

double fib_saguaro_c(long n, int workers) {
    return measure_fib<saguaro_runtime>(n, workers, bench_fib_c);
}

double fib_saguaro_invoke(long n, int workers) {
    return measure_fib<saguaro_runtime>(n, workers, fib<saguaro_runtime>);
}

double fib_saguaro_scope(long n, int workers) {
    return measure_fib<saguaro_runtime>(n, workers, fib_scope);
}

} // namespace saguaro::bench
