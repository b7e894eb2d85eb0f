// SPDX-License-Identifier: MIT
//
// The sizes and variants of strassen. Those in Cilk are examples/cilk/strassen.c.
#include "driver/registry.hpp"
#include "runtimes/programs.hpp"
#include "strassen/strassen.h"
#include "strassen/strassen.hpp"

namespace saguaro::bench {

namespace {

double serial(long n, int workers) {
    return measure_product<no_runtime>(n, workers, bench_strassen_serial);
}

} // namespace

registry_entry strassen_bench() {
    const kernel problem = {.name = "strassen",
                            .meaning =
                                "the same by Strassen's seven products a level, in Winograd's form",
                            .base = "serial",
                            .sizes = {1024},
                            .greatest_n = 4096};
    const std::vector<variant> linked = {
        fixed("serial", serial),
        parallel("saguaro-c", strassen_saguaro_c),
        parallel("saguaro-invoke", strassen_saguaro_invoke),
#if SG_BENCH_TBB
        parallel("tbb", strassen_tbb),
#endif
    };
    return entry_of(problem, {linked, openmp_programs(problem), cilkc_programs(problem)});
}

} // namespace saguaro::bench
