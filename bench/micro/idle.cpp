// SPDX-License-Identifier: MIT
// Measuring the processor time of idle workers, and that of a thread that spins.
#include "micro/idle.hpp"

#include "driver/registry.hpp"
#include "micro/two_workers.hpp"

namespace saguaro::bench {

namespace {

/// The workers have been started, and nothing runs: all of them sleep.
outcome idle_without_run(long n, int) {
    options chosen{};
    chosen.workers = 2;
    start(chosen);
    double seconds = measure_idle(n);
    stop();
    return seconds;
}

outcome spinning(long n, int) {
    return measure_spinning(n);
}

} // namespace

registry_entry idle_bench() {
    const kernel problem = {
        .name = "idle",
        .meaning = "processor time of two workers that find nothing for n milliseconds",
        .base = "spinning",
        .sizes = {500},
        .greatest_peer_size = 0,
        .greatest_n = 1'000'000,
        .parallel = false,
        .operations = n_operations};
    const std::vector<variant> variants = {
        fixed("spinning", spinning),
        fixed("during-run", on_two_workers<measure_idle>),
        fixed("between-runs", idle_without_run),
    };
    return entry_of(problem, {variants});
}

} // namespace saguaro::bench
