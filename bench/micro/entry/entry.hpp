// SPDX-License-Identifier: MIT
//
// entry: what a call into a runtime costs a thread that is none of its own, when there is next to
// nothing to do. The runtime's workers have been started. A call is a class:
//
//     struct some_call {
//         static constexpr int iterations;     // which of marks.iterations a call increments
//         explicit some_call(int workers);     // one for each thread that calls
//         void operator()(entry_marks &marks); // enters, increments them, returns
//     };
#pragma once

#include "driver/grid.hpp"
#include "driver/measure.hpp"
#include "micro/idle.hpp"
#include "runtimes/peer_main.hpp"

#include <chrono>
#include <cstddef>
#include <latch>
#include <sys/resource.h>
#include <thread>
#include <vector>

namespace saguaro::bench {

inline constexpr int entry_iterations = 4;

/// What one thread's calls have done.
struct alignas(64) entry_marks {
    long iterations[entry_iterations] = {};
};

/// So often the process's threads have left a processor, waiting or preempted.
inline double context_switches() {
    rusage used{};
    getrusage(RUSAGE_SELF, &used);
    return static_cast<double>(used.ru_nvcsw + used.ru_nivcsw);
}

/// What a stretch of the process took.
class entry_watch {
public:
    /// For n calls. `uses` has for each its context switches and its nanoseconds on processors.
    outcome of(long n) const {
        const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
        const auto calls = static_cast<double>(n);
        outcome result = taken.count();
        result.uses = {{"switches", (context_switches() - switches) / calls},
                       {"cpu_ns", (processor_seconds() - processor) * 1e9 / calls}};
        return result;
    }

private:
    double switches = context_switches();
    double processor = processor_seconds();
    std::chrono::steady_clock::time_point start = std::chrono::steady_clock::now();
};

/// Throws wrong_answer unless each call has run each of its iterations.
template <typename call>
void expect_calls(long n, const entry_marks &marks) {
    for (int i = 0; i < call::iterations; i++)
        expect_equal(n, marks.iterations[i]);
}

/// n calls by the calling thread, after one that does not count.
template <typename call>
outcome measure_entry(long n, int workers) {
    call enter(workers);
    entry_marks marks;
    enter(marks);
    const entry_watch watch;
    for (long i = 0; i < n; i++)
        enter(marks);
    outcome result = watch.of(n);
    expect_calls<call>(n + 1, marks);
    return result;
}

/// n calls in all, by eight threads at once.
template <typename call>
outcome measure_entry_of_eight(long n, int workers) {
    constexpr int threads = 8;
    const long each = (n + threads - 1) / threads;
    std::vector<entry_marks> marks(threads);
    std::latch ready(threads), begin(1), done(threads);
    std::vector<std::jthread> callers;
    for (entry_marks &mine : marks) {
        callers.emplace_back([&, each, workers] {
            call enter(workers);
            enter(mine);
            ready.count_down();
            begin.wait();
            for (long i = 0; i < each; i++)
                enter(mine);
            done.count_down();
        });
    }
    ready.wait();
    const entry_watch watch;
    begin.count_down();
    done.wait();
    outcome result = watch.of(each * threads);
    callers.clear();
    for (const entry_marks &one : marks)
        expect_calls<call>(each + 1, one);
    return result;
}

// The variants of each runtime, by file.

std::vector<variant> entry_saguaro();   // saguaro.cpp
std::vector<variant> entry_tbb();       // tbb.cpp
std::vector<peer_entry> entry_openmp(); // openmp.cpp, in a program of its own

} // namespace saguaro::bench
