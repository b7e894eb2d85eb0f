// SPDX-License-Identifier: MIT
// The sizes, the serial version and the variants of loop.
#include "driver/registry.hpp"
#include "loop/loop.hpp"
#include "runtimes/programs.hpp"

namespace saguaro::bench {

namespace {

void loop_serially(long n) {
    for (long i = 0; i < n; i++)
        loop_body(i);
}

double serial(long n, int workers) {
    return measure_loop<no_runtime>(n, workers, loop_serially);
}

} // namespace

registry_entry loop_bench() {
    const kernel problem = {.name = "loop",
                            .meaning = "n iterations of one volatile add, grain 1",
                            .base = "serial",
                            .sizes = {1'000'000'000},
                            .greatest_n = 1'000'000'000'000,
                            .operations = n_operations};
    const std::vector<variant> linked = {
        fixed("serial", serial),
        parallel("saguaro-for", loop_saguaro),
#if SG_BENCH_TBB
        parallel("tbb", loop_tbb),
#endif
    };
    return entry_of(problem, {linked, openmp_programs(problem)});
}

} // namespace saguaro::bench
