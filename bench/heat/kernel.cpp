// SPDX-License-Identifier: MIT
//
// The sizes and variants of heat. Those in Cilk are examples/cilk/heat.cilk.
#include "driver/registry.hpp"
#include "heat/heat.h"
#include "heat/heat.hpp"
#include "runtimes/programs.hpp"

namespace saguaro::bench {

namespace {

double serial(long n, int workers) {
    return measure_heat<no_runtime>(n, workers, bench_heat_serial);
}

} // namespace

registry_entry heat_bench() {
    const kernel problem = {
        .name = "heat",
        .meaning = "a hundred steps of Jacobi's iteration on n x n points, rows in halves",
        .base = "serial",
        .sizes = {1024},
        .greatest_n = 16384};
    const std::vector<variant> linked = {
        fixed("serial", serial),
        parallel("saguaro-c", heat_saguaro_c),
        parallel("saguaro-invoke", heat_saguaro_invoke),
#if SG_BENCH_TBB
        parallel("tbb", heat_tbb),
#endif
    };
    return entry_of(problem, {linked, openmp_programs(problem), cilkc_programs(problem)});
}

} // namespace saguaro::bench
