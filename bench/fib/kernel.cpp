// SPDX-License-Identifier: MIT
//
// The sizes and variants of fib. Those in Cilk are examples/cilk/fib.c and fib.cilk.
#include "driver/registry.hpp"
#include "fib/fib.h"
#include "fib/fib.hpp"
#include "runtimes/programs.hpp"

namespace saguaro::bench {

namespace {

double serial(long n, int workers) {
    return measure_fib<no_runtime>(n, workers, bench_fib_serial);
}

double serial_inlined(long n, int workers) {
    return measure_fib<no_runtime>(n, workers, bench_fib_inlined);
}

} // namespace

registry_entry fib_bench() {
    const kernel problem = {
        .name = "fib",
        .meaning = "the n-th Fibonacci number by double recursion, a fork in every call",
        .base = "serial",
        .sizes = {40, 36, 32},
        .greatest_peer_size = 32,
        .greatest_n = 60,
        .operations = fib_calls};
    const std::vector<variant> linked = {
        fixed("serial", serial),
        fixed("serial-inlined", serial_inlined),
        parallel("saguaro-c", fib_saguaro_c),
        parallel("saguaro-invoke", fib_saguaro_invoke),
        parallel("saguaro-scope", fib_saguaro_scope, 36),
#if SG_BENCH_TBB
        parallel("tbb", fib_tbb, 32),
#endif
    };
    return entry_of(problem, {linked, openmp_programs(problem), cilkc_programs(problem)});
}

} // namespace saguaro::bench
