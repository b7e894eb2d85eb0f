// SPDX-License-Identifier: MIT
// Entering Saguaro from plain threads: an empty run, and a loop of four iterations.
#include "driver/registry.hpp"
#include "micro/entry/entry.hpp"

#include <saguaro/saguaro.hpp>

namespace saguaro::bench {

namespace {

struct empty_run {
    static constexpr int iterations = 1;
    explicit empty_run(int) {}

    void operator()(entry_marks &marks) const {
        saguaro::run([&marks] { marks.iterations[0]++; });
    }
};

struct loop_of_four {
    static constexpr int iterations = entry_iterations;
    explicit loop_of_four(int) {}

    void operator()(entry_marks &marks) const {
        saguaro::parallel_for(0, entry_iterations, [&marks](int i) { marks.iterations[i]++; });
    }
};

/// With workers that live as long as one run.
template <outcome (*measure)(long, int)>
outcome among_workers(long n, int workers) {
    saguaro::options chosen{};
    chosen.workers = static_cast<unsigned>(workers);
    saguaro::start(chosen);
    const outcome result = measure(n, workers);
    saguaro::stop();
    return result;
}

} // namespace

std::vector<variant> entry_saguaro() {
    return {
        parallel("saguaro-empty", among_workers<measure_entry<empty_run>>),
        parallel("saguaro-loop", among_workers<measure_entry<loop_of_four>>),
        parallel("saguaro-empty-8", among_workers<measure_entry_of_eight<empty_run>>),
        parallel("saguaro-loop-8", among_workers<measure_entry_of_eight<loop_of_four>>),
    };
}

} // namespace saguaro::bench
