// SPDX-License-Identifier: MIT
// Waking a sleeping worker, and waking a thread at a condition variable.
#include "micro/wake.hpp"

#include "driver/registry.hpp"
#include "runtimes/saguaro.hpp"

namespace saguaro::bench {

namespace {

outcome wake_of_a_worker(long n, int) {
    // A worker may be the thread that called, which outlives the run.
    const own_processors given_back;
    pinned_pair pair;
    double seconds = 0;
    saguaro_runtime::enter(2, [&] { seconds = measure_wake(pair, n); });
    return seconds;
}

outcome wake_by_condition_variable(long n, int) {
    return measure_condition_variable(n);
}

} // namespace

registry_entry wake_bench() {
    const kernel problem = {.name = "wake",
                            .meaning = "n wake-ups of a sleeping worker by a spawn",
                            .base = "condition-variable",
                            .sizes = {1000},
                            .greatest_peer_size = 0,
                            .greatest_n = 1'000'000,
                            .parallel = false,
                            .operations = n_operations};
    const std::vector<variant> variants = {
        fixed("condition-variable", wake_by_condition_variable),
        fixed("saguaro", wake_of_a_worker),
    };
    return entry_of(problem, {variants});
}

} // namespace saguaro::bench
