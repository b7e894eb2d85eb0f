// SPDX-License-Identifier: MIT
//
// The sizes and variants of matmul. Those in Cilk are examples/cilk/matmul.c.
#include "driver/registry.hpp"
#include "matmul/matmul.h"
#include "matmul/matmul.hpp"
#include "runtimes/programs.hpp"

namespace saguaro::bench {

namespace {

double serial(long n, int workers) {
    return measure_product<no_runtime>(n, workers, bench_matmul_serial);
}

} // namespace

registry_entry matmul_bench() {
    const kernel problem = {
        .name = "matmul",
        .meaning = "the product of two n x n matrices, eight products of quadrants a level",
        .base = "serial",
        .sizes = {1024},
        .greatest_n = 4096};
    const std::vector<variant> linked = {
        fixed("serial", serial),
        parallel("saguaro-c", matmul_saguaro_c),
        parallel("saguaro-invoke", matmul_saguaro_invoke),
#if SG_BENCH_TBB
        parallel("tbb", matmul_tbb),
#endif
    };
    return entry_of(problem, {linked, openmp_programs(problem), cilkc_programs(problem)});
}

} // namespace saguaro::bench
