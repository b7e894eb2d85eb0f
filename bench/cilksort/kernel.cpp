// SPDX-License-Identifier: MIT
//
// The sizes and variants of cilksort. Those in Cilk are examples/cilk/cilksort.c.
#include "cilksort/cilksort.h"
#include "cilksort/cilksort.hpp"
#include "driver/registry.hpp"
#include "runtimes/programs.hpp"

namespace saguaro::bench {

namespace {

double serial(long n, int workers) {
    return measure_cilksort<no_runtime>(n, workers, bench_cilksort_serial);
}

} // namespace

registry_entry cilksort_bench() {
    const kernel problem = {.name = "cilksort",
                            .meaning =
                                "n integers sorted by four-way merge sort with a parallel merge",
                            .base = "serial",
                            .sizes = {10'000'000},
                            .greatest_n = 1'000'000'000};
    const std::vector<variant> linked = {
        fixed("serial", serial),
        parallel("saguaro-c", cilksort_saguaro_c),
        parallel("saguaro-invoke", cilksort_saguaro_invoke),
#if SG_BENCH_TBB
        parallel("tbb", cilksort_tbb),
#endif
    };
    return entry_of(problem, {linked, openmp_programs(problem), cilkc_programs(problem)});
}

} // namespace saguaro::bench
