// SPDX-License-Identifier: MIT
// Workers without work: they look around for a while, then sleep until somebody has something.
//
// No wake-up is lost: a sleeper first counts itself, makes every worker pass a fence, and then
// looks at all deques once more; who pushes a frame looks at the count afterwards. One of the two
// sees the other, if the kernel has an asymmetric fence. C clones do not look when they push, and
// without that fence a push and a sleeper may miss each other: then the next pop asks, and one
// sleeper at least looks around now and then as long as anything runs. README.md has the states.
#pragma once

#include "saguaro/frame.h"
#include "saguaro/stealable.hpp"
#include "scheduler/steal.hpp"
#include "scheduler/worker.hpp"

#include <chrono>
#include <cstdint>

namespace saguaro::scheduler {

// One worker's patience.
class idleness {
public:
    explicit idleness(worker &w);

    // It has found something.
    void found();

    // It has found nothing: waits a little, or sleeps. Returns when it should look again.
    void nothing();

private:
    std::chrono::nanoseconds leave_stacks();
    void sleep();

    worker &worker_;
    std::int64_t idle_since_ = 0; // 0: not idle
    unsigned tries_ = 0;
    std::chrono::nanoseconds nap_;
};

using detail::wake_if_any_sleeps;

// For a worker that begins or continues a flow: its next pop tells the sleepers.
inline void offer_to_sleepers(worker &w) {
    // Relaxed: a hint; the sleepers that are missed look around themselves.
    if (__atomic_load_n(&sg_sleepers, __ATOMIC_RELAXED) != 0) [[unlikely]]
        make_ask(w);
}

// Wakes all workers.
void wake_all();

// In the child of a fork: there are no sleepers, and no wake-ups for them.
void forget_sleepers();

} // namespace saguaro::scheduler
