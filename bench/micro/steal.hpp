// SPDX-License-Identifier: MIT
//
// The price of one steal, for the thief and for the victim. Two workers: a victim that pushes one
// piece of work and is busy, a thief that has nothing to do. Each figure is the median of n steals
// of one run, times n: a preempted thread among them moves a mean, not a median.
//
//   latency   from before the push to the first instruction of the stolen work
//   loss      what the victim's own work took longer because it was robbed meanwhile: the
//             interruption by the thief's fence, the pop that has to ask, the join
//   fence     what it took longer because the thief did nothing but pass its fence: what the kernel
//             and the machine ask for each steal, whatever the runtime does
#pragma once

#include "driver/measure.hpp"

#include <platform/arch.hpp>
#include <platform/clock.hpp>
#include <platform/fence.hpp>
#include <saguaro/saguaro.hpp>

#include <atomic>
#include <cstdint>
#include <vector>

namespace saguaro::bench {

/// Some 20 µs of arithmetic that no compiler shortens: long enough that the thief has come and
/// gone meanwhile, short enough to be hit by little else.
inline void busy_work() {
    std::uint64_t state = 1;
    for (int i = 0; i < 15'000; i++) {
        state = state * 0x9e3779b97f4a7c15U + 1;
        __asm__ __volatile__("" : "+r"(state));
    }
}

struct nothing_to_do {
    void operator()() const {}
};

/// The calling worker forks: `work` here, a thief begins the other half, `stolen`, before `work`
/// has ended. Returns when the thief had done it, in nanoseconds of now_ns().
template <typename work_type, typename stolen_type = nothing_to_do>
std::int64_t be_robbed(work_type work, stolen_type stolen = {}) {
    std::atomic<std::int64_t> begun{0};
    parallel_invoke(
        [&] {
            work();
            // Relaxed: a time is all that it carries.
            while (begun.load(std::memory_order_relaxed) == 0)
                platform::cpu_relax();
        },
        [&] {
            stolen();
            begun.store(platform::now_ns(), std::memory_order_relaxed);
        });
    return begun.load(std::memory_order_relaxed);
}

inline double measure_steal_latency(long n) {
    std::vector<std::int64_t> times;
    for (long i = 0; i < n; i++) {
        busy_work(); // until the thief, which has ended its last piece of work, is idle again
        std::int64_t pushed = platform::now_ns();
        times.push_back(be_robbed([] {}) - pushed);
    }
    return median_seconds(std::move(times));
}

inline double measure_victim_loss(long n) {
    std::vector<std::int64_t> robbed;
    std::vector<std::int64_t> alone;
    for (long i = 0; i < n; i++) {
        std::int64_t start = platform::now_ns();
        be_robbed(busy_work);
        std::int64_t between = platform::now_ns();
        busy_work();
        robbed.push_back(between - start);
        alone.push_back(platform::now_ns() - between);
    }
    return median_seconds(std::move(robbed)) - median_seconds(std::move(alone));
}

/// The thief, once it has the second half, passes a fence in each round in which it is told to.
inline double measure_fence_loss(long n) {
    std::vector<std::int64_t> disturbed;
    std::vector<std::int64_t> alone;
    std::atomic<long> round{0}, answered{0};
    // Relaxed throughout: the rounds order the fences and the times, nothing else.
    parallel_invoke(
        [&] {
            for (long i = 1; i <= n; i++) {
                std::int64_t start = platform::now_ns();
                round.store(i, std::memory_order_relaxed);
                busy_work();
                std::int64_t between = platform::now_ns();
                while (answered.load(std::memory_order_relaxed) < i)
                    platform::cpu_relax();
                std::int64_t again = platform::now_ns();
                busy_work();
                disturbed.push_back(between - start);
                alone.push_back(platform::now_ns() - again);
            }
        },
        [&] {
            for (long i = 1; i <= n; i++) {
                while (round.load(std::memory_order_relaxed) < i)
                    platform::cpu_relax();
                platform::heavy_fence();
                answered.store(i, std::memory_order_relaxed);
            }
        });
    return median_seconds(std::move(disturbed)) - median_seconds(std::move(alone));
}

} // namespace saguaro::bench
