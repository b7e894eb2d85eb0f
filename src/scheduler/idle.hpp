// SPDX-License-Identifier: MIT
// Threads without work: they look around for a while, then give their worker back and sleep until
// somebody has something.
//
// No wake-up is lost: a sleeper first counts itself, makes every worker pass a fence, and then
// looks at all deques once more; who pushes a frame looks at the count afterwards. One of the two
// sees the other, if the kernel has an asymmetric fence. C clones do not look when they push, and
// without that fence a push and a sleeper may miss each other: then the next pop asks, and one
// sleeper at least looks around now and then as long as anything runs. README.md has the states.
#pragma once

#include "saguaro/detail/frame.h"
#include "saguaro/detail/stealable.hpp"
#include "scheduler/seats.hpp"
#include "scheduler/steal.hpp"
#include "scheduler/worker.hpp"

#include <chrono>
#include <cstdint>

namespace saguaro::scheduler {

// One thread's patience.
class idleness {
public:
    idleness(sitter &me, runtime &rt);

    // It has found something.
    void found();

    // It has found nothing: waits a little, or gives its worker back. Returns when it should look
    // again, or wait.
    void nothing();

    // It has no worker: sleeps until it is given one, sees work and takes one, or is over. Or just
    // for a while.
    void wait();

private:
    void give_worker_back();
    bool take_worker();
    std::chrono::nanoseconds how_long();
    std::chrono::nanoseconds next_nap();
    std::chrono::nanoseconds leave_stacks();
    bool falls_asleep_for_good();
    void ask_everybody();

    sitter &me_;
    runtime &rt_;
    std::int64_t idle_since_ = 0; // 0: not idle
    unsigned tries_ = 0;
    std::chrono::nanoseconds nap_;
    std::uint32_t roots_seen_ = 0;
    bool has_worked_ = false;
    bool lacked_stack_ = false; // when it gave its worker back
};

using detail::wake_if_any_sleeps;

// For a worker that begins or continues a flow: its next pop tells the sleepers.
inline void offer_to_sleepers(worker &w) {
    // Relaxed: a hint; the sleepers that are missed look around themselves.
    if (__atomic_load_n(&sg_sleepers, __ATOMIC_RELAXED) != 0) [[unlikely]]
        make_ask(w);
}

} // namespace saguaro::scheduler
