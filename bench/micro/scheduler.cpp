// SPDX-License-Identifier: MIT
//
// steal, wake, idle: always two workers, whatever --workers says. crowd: n workers.
#include "driver/registry.hpp"
#include "micro/crowd.hpp"
#include "micro/idle.hpp"
#include "micro/steal.hpp"
#include "micro/wake.hpp"
#include "runtimes/saguaro.hpp"

namespace saguaro::bench {

namespace {

/// What compute(n) returns on one of two workers.
template <double (*compute)(long)>
outcome on_two_workers(long n, int) {
    double seconds = 0;
    saguaro_runtime::enter(2, [&] { seconds = compute(n); });
    return seconds;
}

/// The workers have been started, and nothing runs: all of them sleep.
outcome idle_without_run(long n, int) {
    options chosen{};
    chosen.workers = 2;
    start(chosen);
    double seconds = measure_idle(n);
    stop();
    return seconds;
}

outcome wake_of_a_worker(long n, int) {
    // A worker may be the thread that called, which outlives the run.
    const own_processors given_back;
    pinned_pair pair;
    double seconds = 0;
    saguaro_runtime::enter(2, [&] { seconds = measure_wake(pair, n); });
    return seconds;
}

variant micro(const char *bench, const char *name, outcome (*run)(long, int)) {
    return {.bench = bench, .name = name, .parallel = false, .greatest_size = any_size, .run = run};
}

variant crowd() {
    variant made = micro("crowd", "saguaro", [](long n, int) { return measure_crowd(n); });
    made.alone = true;
    return made;
}

} // namespace

std::vector<variant> micro_scheduler_variants() {
    return {
        micro("steal", "latency", on_two_workers<measure_steal_latency>),
        micro("steal", "victim-loss", on_two_workers<measure_victim_loss>),
        micro("steal", "fence-alone", on_two_workers<measure_fence_loss>),
        micro("wake", "condition-variable",
              [](long n, int) -> outcome { return measure_condition_variable(n); }),
        micro("wake", "saguaro", wake_of_a_worker),
        micro("idle", "spinning", [](long n, int) -> outcome { return measure_spinning(n); }),
        micro("idle", "during-run", on_two_workers<measure_idle>),
        micro("idle", "between-runs", idle_without_run),
        crowd(),
    };
}

} // namespace saguaro::bench
