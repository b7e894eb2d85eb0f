// SPDX-License-Identifier: MIT
//
// The parts of a kernel's measurement: a stopwatch, a verdict, and the three functions that a
// runtime gives to the kernels. A kernel is written once, for any runtime:
//
//     struct some_runtime {
//         // Calls work() on the calling thread or on a worker, with so many workers at hand.
//         static void enter(int workers, auto &&work);
//         // Runs all functions, in parallel if it can; a tuple of their results, or void if
//         // none has one. One at a time, first to last, is the serial order.
//         static auto invoke(auto &&...functions);
//         // body(i) for each i in first .. last-1, in parallel if it can.
//         static void for_each(long first, long last, auto &&body);
//         // Forks body(i) for each i in 0 .. count-1, one after the other; returns when all ended.
//         static void spawn_all(long count, auto &&body);
//     };
//
// A runtime leaves out what no kernel asks of it.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

namespace saguaro::bench {

/// A run computed something else than it must: no time of it is worth reporting.
struct wrong_answer : std::runtime_error {
    wrong_answer(long expected, long got)
        : wrong_answer("expected " + std::to_string(expected) + ", got " + std::to_string(got)) {}
    explicit wrong_answer(const std::string &fault) : runtime_error(prefix + fault) {}

    /// what() without its beginning, to be told to another process.
    const char *fault() const { return what() + prefix.size(); }

private:
    inline static const std::string prefix = "wrong answer: ";
};

/// Throws wrong_answer unless the two are equal.
inline void expect_equal(long expected, long got) {
    if (expected != got)
        throw wrong_answer(expected, got);
}

/// The median of some times in nanoseconds, as the seconds of all of them: one preempted thread
/// would move a mean by milliseconds.
inline double median_seconds(std::vector<std::int64_t> times) {
    auto middle = times.begin() + static_cast<std::ptrdiff_t>(times.size() / 2);
    std::nth_element(times.begin(), middle, times.end());
    return 1e-9 * static_cast<double>(*middle) * static_cast<double>(times.size());
}

/// The seconds that work() takes inside a runtime, behind warm_up(), which is not measured.
/// Starting and stopping its workers is outside: a bench measures the price of parallelism, not of
/// creating threads.
template <typename runtime>
double measure_warm(int workers, auto &&warm_up, auto &&work) {
    double seconds = 0;
    runtime::enter(workers, [&] {
        warm_up();
        auto start = std::chrono::steady_clock::now();
        work();
        seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    });
    return seconds;
}

/// The same, with nothing before.
template <typename runtime>
double measure(int workers, auto &&work) {
    return measure_warm<runtime>(workers, [] {}, work);
}

/// No runtime: what runs in it is serial.
struct no_runtime {
    static void enter(int, auto &&work) { work(); }
};

} // namespace saguaro::bench
