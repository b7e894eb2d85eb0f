// SPDX-License-Identifier: MIT
// Entering oneTBB from plain threads, each with an arena of its own.
#include "driver/registry.hpp"
#include "micro/entry/entry.hpp"

#include <cstddef>
#include <tbb/global_control.h>
#include <tbb/parallel_for.h>
#include <tbb/parallel_invoke.h>
#include <tbb/task_arena.h>

namespace saguaro::bench {

namespace {

/// An arena that a thread enters and leaves. Each thread has one of its own: in a common one the
/// eight would wait for its slots.
struct empty_arena {
    static constexpr int iterations = 1;
    explicit empty_arena(int workers) : arena(workers) {}

    void operator()(entry_marks &marks) {
        arena.execute([&marks] { marks.iterations[0]++; });
    }

    tbb::task_arena arena;
};

struct two_functions {
    static constexpr int iterations = 2;
    explicit two_functions(int) {}

    void operator()(entry_marks &marks) const {
        tbb::parallel_invoke([&marks] { marks.iterations[0]++; },
                             [&marks] { marks.iterations[1]++; });
    }
};

struct loop_of_four {
    static constexpr int iterations = entry_iterations;
    explicit loop_of_four(int) {}

    void operator()(entry_marks &marks) const {
        tbb::parallel_for(0, entry_iterations, [&marks](int i) { marks.iterations[i]++; });
    }
};

template <outcome (*measure)(long, int)>
outcome limited(long n, int workers) {
    tbb::global_control limit(tbb::global_control::max_allowed_parallelism,
                              static_cast<std::size_t>(workers));
    return measure(n, workers);
}

} // namespace

std::vector<variant> entry_tbb() {
    return {
        parallel("tbb-empty", limited<measure_entry<empty_arena>>),
        parallel("tbb-invoke", limited<measure_entry<two_functions>>),
        parallel("tbb-loop", limited<measure_entry<loop_of_four>>),
        parallel("tbb-empty-8", limited<measure_entry_of_eight<empty_arena>>),
        parallel("tbb-invoke-8", limited<measure_entry_of_eight<two_functions>>),
        parallel("tbb-loop-8", limited<measure_entry_of_eight<loop_of_four>>),
    };
}

} // namespace saguaro::bench
