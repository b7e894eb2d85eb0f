// SPDX-License-Identifier: MIT
// Workers without work: they look around for a while, then sleep until somebody has something.
//
// No wake-up is lost: a sleeper first counts itself, makes every worker pass a fence, and then
// looks at all deques once more; who pushes a frame looks at the count afterwards. One of the two
// sees the other. C clones do not look when they push; for them the sleeper makes the next pop ask,
// and one sleeper at least looks around now and then as long as anything runs. README.md has the
// states.
#pragma once

#include "saguaro/frame.h"
#include "scheduler/steal.hpp"
#include "scheduler/worker.hpp"

#include <chrono>
#include <cstdint>

namespace saguaro::scheduler {

// The times of a worker, kept only with statistics on.
class stopwatch {
public:
    explicit stopwatch(worker &w);

    void begin_work() { charge(worker_.count.search_ns); }
    void end_work() { charge(worker_.count.work_ns); }
    void begin_sleep() { charge(worker_.count.search_ns); }
    void end_sleep() { charge(worker_.count.sleep_ns); }

private:
    void charge(std::atomic<std::int64_t> &account);

    worker &worker_;
    const bool on_;
    std::int64_t since_ = 0;
};

// One worker's patience.
class idleness {
public:
    explicit idleness(worker &w);

    // It has found something.
    void found();

    // It has found nothing: waits a little, or sleeps. Returns when it should look again.
    void nothing(stopwatch &clock);

private:
    void sleep();

    worker &worker_;
    std::int64_t idle_since_ = 0; // 0: not idle
    unsigned tries_ = 0;
    std::chrono::nanoseconds nap_;
};

// Wakes one worker if any sleeps.
inline void wake_if_any_sleeps() {
    // As in detail::push.
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    if (__atomic_load_n(&sg_sleepers, __ATOMIC_RELAXED) != 0) [[unlikely]]
        sg_wake();
}

// For a worker that begins or continues a flow: its next pop tells the sleepers.
inline void offer_to_sleepers(worker &w) {
    // Relaxed: a hint; the sleepers that are missed look around themselves.
    if (__atomic_load_n(&sg_sleepers, __ATOMIC_RELAXED) != 0) [[unlikely]]
        make_ask(w);
}

// Wakes all workers.
void wake_all();

} // namespace saguaro::scheduler
