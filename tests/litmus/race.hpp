// SPDX-License-Identifier: MIT
// Litmus programs: two threads do a few memory accesses each, at the same time, many times over,
// and nobody may ever see an outcome that the orders used exclude.
#pragma once

#include "platform/clock.hpp"
#include "support/effort.hpp"

#include <atomic>
#include <chrono>
#include <cstdint>
#include <sched.h>
#include <thread>

namespace saguaro::litmus {

// How long each program is tried.
inline const std::chrono::milliseconds usual_time{test_support::third_of(500)};

// Waits until the other side has come to `round`. Gives the processor up now and then: there may be
// only one.
inline void wait_for(const std::atomic<int> &progress, int round) {
    // Acquire: pairs with the release of the side that is waited for.
    for (int spins = 1; progress.load(std::memory_order_acquire) < round; ++spins)
        if (spins % 1000 == 0)
            sched_yield();
}

// Both sides begin a round when the clock says so: a side that only waited for the other's word
// would always come too late to meet it.
inline constexpr std::int64_t head_start_ns = 500;

inline void wait_until(std::int64_t time) {
    while (platform::now_ns() < time) {
    }
}

// What both sides saw in one round.
template <class First, class Second>
struct outcome {
    First first;
    Second second;
};

// In each round calls prepare(round), then first(round) and second(round) at once in two threads,
// then judge(outcome), which says whether what both saw is excluded. Rounds count from 1, so a word
// that holds the round before's number is an old one. Returns whether that ever happened.
template <class Prepare, class First, class Second, class Judge>
bool ever_seen(Prepare prepare, First first, Second second, Judge judge) {
    std::atomic<int> begun{0};
    std::atomic<int> ended{0};
    std::atomic<bool> over{false};
    std::atomic<std::int64_t> start{0};
    decltype(second(0)) seen_by_second{}; // published by `ended`
    std::thread other([&] {
        for (int round = 1;; ++round) {
            wait_for(begun, round);
            // Relaxed, both: stored before `begun`.
            if (over.load(std::memory_order_relaxed))
                return;
            wait_until(start.load(std::memory_order_relaxed));
            seen_by_second = second(round);
            ended.store(round, std::memory_order_release);
        }
    });
    bool seen = false;
    int round = 0;
    const auto end = std::chrono::steady_clock::now() + usual_time;
    do {
        ++round;
        prepare(round);
        const std::int64_t begin = platform::now_ns() + head_start_ns;
        start.store(begin, std::memory_order_relaxed);
        begun.store(round, std::memory_order_release);
        wait_until(begin);
        // Not all rounds alike: the two sides should meet in some.
        for (int delay = round % 64; delay > 0; --delay)
            std::atomic_signal_fence(std::memory_order_seq_cst);
        const auto seen_by_first = first(round);
        wait_for(ended, round);
        seen =
            judge(outcome<decltype(first(0)), decltype(second(0))>{seen_by_first, seen_by_second});
    } while (!seen && std::chrono::steady_clock::now() < end);
    over.store(true, std::memory_order_relaxed);
    begun.store(round + 1, std::memory_order_release);
    other.join();
    return seen;
}

inline constexpr auto nothing_to_prepare = [](int) {};

} // namespace saguaro::litmus
