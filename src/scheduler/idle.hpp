// SPDX-License-Identifier: MIT
// Threads without work: they look around for a while, then sleep until another worker has something
// to steal.
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

#include <algorithm>
#include <chrono>
#include <cstdint>

namespace saguaro::scheduler {

// How long a thief rests between two looks. A look at what its victim writes takes the victim's
// lines away, so a thief that keeps missing what it has seen makes work slow that is too short to
// be stolen. It looks less and less often, until it gets something or sees nothing that it could
// miss.
class looks {
public:
    // After a look that found nothing; `missed`: it saw something that was gone, or not to be had,
    // the next moment. Returns how often to call cpu_relax before the next look.
    unsigned in_vain(bool missed) {
        if (missed) {
            rest_ = std::min(rest_ * 2, longest);
            calm_ = 0;
        } else if (++calm_ == before_shorter) {
            rest_ = std::max(rest_ / 2, 1U);
            calm_ = 0;
        }
        return rest_;
    }
    void found() { rest_ = 1; }
    unsigned rest() const { return rest_; }

    // Takes 1 to 3 us on x86-64. docs/measurements.md, "Thieves that look less often".
    static constexpr unsigned longest = 64;
    // So many looks without a miss halve the rest.
    static constexpr unsigned before_shorter = 16;

private:
    unsigned rest_ = 1;
    unsigned calm_ = 0;
};

// One thread's patience.
class idleness {
public:
    idleness(participant &me, runtime &rt);

    // It has found something.
    void found();

    // It has found nothing: waits a little, or stops to work. Returns when it should look again, or
    // wait.
    void nothing();

    // It does not work: sleeps until it is woken, sees work and a processor for it, or is over. Or
    // just for a while.
    void wait();

    // It has finished something, and found nothing else yet. True: it sleeps now, because threads
    // that have entered need the processors.
    bool gives_way();

    // How often it calls cpu_relax before it looks again.
    unsigned rest() const { return looks_.rest(); }

private:
    bool stop_working(bool gives_way);
    bool work();
    std::chrono::nanoseconds how_long();
    std::chrono::nanoseconds next_nap();
    std::chrono::nanoseconds leave_stacks(std::int64_t now);
    bool falls_asleep_for_good();
    void ask_everybody();

    participant &me_;
    runtime &rt_;
    std::int64_t idle_since_ = 0; // 0: not idle
    unsigned tries_ = 0;
    looks looks_;
    std::chrono::nanoseconds nap_;
    std::uint32_t roots_seen_ = 0;   // when it last found that nothing runs
    std::int64_t quiet_since_ = 0;   // that no root has begun
    std::int64_t crowded_since_ = 0; // 0: it is not
    bool lacked_stack_ = false;      // when it stopped to work
};

using detail::wake_if_any_sleeps;

// For a worker that begins or continues a flow: its next pop tells the sleepers.
inline void offer_to_sleepers(worker &w) {
    // Relaxed: a hint; the sleepers that are missed look around themselves.
    if (__atomic_load_n(&sg_hear_pushes, __ATOMIC_RELAXED) != 0) [[unlikely]]
        make_ask(w);
}

} // namespace saguaro::scheduler
