// SPDX-License-Identifier: MIT
#include "runtimes/saguaro.hpp"
#include "cilksort/cilksort.hpp"
#include "driver/registry.hpp"
#include "fib/fib.hpp"
#include "heat/heat.hpp"
#include "loop/loop.hpp"
#include "matmul/matmul.hpp"
#include "micro/phases/phases.hpp"
#include "nqueens/nqueens.hpp"
#include "runtimes/clones.h"
#include "strassen/strassen.hpp"

namespace saguaro::bench {

namespace {

// A scope has no counterpart in the other runtimes' kernels: its child runs at once and what is
// stolen is the continuation.
long fib_scope(long n) {
    if (n < 2) {
        return n;
    }
    long a = 0;
    saguaro::scope children;
    children.spawn([&a, n] { a = fib_scope(n - 1); });
    long b = fib_scope(n - 2);
    children.sync();
    return a + b;
}

variant parallel(const char *bench, const char *name, double (*run)(long, int),
                 long greatest_size = any_size) {
    return {
        .bench = bench, .name = name, .parallel = true, .greatest_size = greatest_size, .run = run};
}

} // namespace

std::vector<variant> saguaro_variants() {
    using rt = saguaro_runtime;
    return {
        parallel("fib", "saguaro-c",
                 [](long n, int workers) { return measure_fib<rt>(n, workers, bench_fib_c); }),
        parallel("fib", "saguaro-invoke",
                 [](long n, int workers) { return measure_fib<rt>(n, workers, fib<rt>); }),
        parallel(
            "fib", "saguaro-scope",
            [](long n, int workers) { return measure_fib<rt>(n, workers, fib_scope); }, 36),
        parallel(
            "nqueens", "saguaro-c",
            [](long n, int workers) { return measure_nqueens<rt>(n, workers, bench_nqueens_c); }),
        parallel("nqueens", "saguaro-invoke",
                 [](long n, int workers) { return measure_nqueens<rt>(n, workers, nqueens<rt>); }),
        parallel(
            "cilksort", "saguaro-c",
            [](long n, int workers) { return measure_cilksort<rt>(n, workers, bench_cilksort_c); }),
        parallel(
            "cilksort", "saguaro-invoke",
            [](long n, int workers) { return measure_cilksort<rt>(n, workers, cilksort<rt>); }),
        parallel(
            "matmul", "saguaro-c",
            [](long n, int workers) { return measure_product<rt>(n, workers, bench_matmul_c); }),
        parallel("matmul", "saguaro-invoke",
                 [](long n, int workers) { return measure_product<rt>(n, workers, matmul<rt>); }),
        parallel(
            "strassen", "saguaro-c",
            [](long n, int workers) { return measure_product<rt>(n, workers, bench_strassen_c); }),
        parallel("strassen", "saguaro-invoke",
                 [](long n, int workers) { return measure_product<rt>(n, workers, strassen<rt>); }),
        parallel("heat", "saguaro-c",
                 [](long n, int workers) { return measure_heat<rt>(n, workers, bench_heat_c); }),
        parallel("heat", "saguaro-invoke",
                 [](long n, int workers) { return measure_heat<rt>(n, workers, heat<rt>); }),
        parallel("loop", "saguaro-for",
                 [](long n, int workers) { return measure_loop<rt>(n, workers, loop<rt>); }),
        parallel(
            "phases", "saguaro-tree",
            [](long n, int workers) { return measure_phases<rt>(n, workers, tree_of_leaves<rt>); }),
        parallel(
            "phases", "saguaro-loop",
            [](long n, int workers) { return measure_phases<rt>(n, workers, loop_of_leaves<rt>); }),
        parallel("phases", "saguaro-scope",
                 [](long n, int workers) {
                     return measure_phases<rt>(n, workers, scope_of_leaves<rt>);
                 }),
    };
}

} // namespace saguaro::bench
