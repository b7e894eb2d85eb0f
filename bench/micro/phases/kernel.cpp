// SPDX-License-Identifier: MIT
// The sizes, the serial version and the variants of phases.
#include "driver/registry.hpp"
#include "micro/phases/phases.hpp"
#include "runtimes/programs.hpp"

namespace saguaro::bench {

namespace {

double operations(long) {
    return phases_in_a_run;
}

double serial(long n, int workers) {
    return measure_phases<no_runtime>(n, workers, leaves_in_turn);
}

} // namespace

registry_entry phases_bench() {
    const kernel problem = {
        .name = "phases",
        .meaning = "short parallel phases of n leaves of 1 us, with serial work between them",
        .base = "serial",
        .sizes = {16, 64, 256},
        .greatest_n = 1'000'000,
        .operations = operations};
    std::vector<variant> tbb;
#if SG_BENCH_TBB
    tbb = phases_tbb();
#endif
    return entry_of(problem, {{fixed("serial", serial)},
                              phases_saguaro(),
                              tbb,
                              openmp_programs(problem, {"-tree", "-loop", "-scope"})});
}

} // namespace saguaro::bench
