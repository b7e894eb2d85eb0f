// SPDX-License-Identifier: MIT
//
// The sizes and variants of nqueens. Those in Cilk are examples/cilk/nqueens.c.
#include "driver/registry.hpp"
#include "nqueens/nqueens.h"
#include "nqueens/nqueens.hpp"
#include "runtimes/programs.hpp"

namespace saguaro::bench {

namespace {

double serial(long n, int workers) {
    return measure_nqueens<no_runtime>(n, workers, bench_nqueens_serial);
}

} // namespace

registry_entry nqueens_bench() {
    const kernel problem = {.name = "nqueens",
                            .meaning = "all solutions of n queens, a fork for every safe square",
                            .base = "serial",
                            .sizes = {12},
                            .greatest_n = BENCH_QUEENS_MAX};
    const std::vector<variant> linked = {
        fixed("serial", serial),
        parallel("saguaro-c", nqueens_saguaro_c),
        parallel("saguaro-invoke", nqueens_saguaro_invoke),
#if SG_BENCH_TBB
        parallel("tbb", nqueens_tbb),
#endif
    };
    return entry_of(problem, {linked, openmp_programs(problem), cilkc_programs(problem)});
}

} // namespace saguaro::bench
