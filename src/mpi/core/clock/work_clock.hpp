// SPDX-License-Identifier: MIT
// -order work: the clock of a rank counts what its program does between calls as well, by a counter
// of the processor (Kendo). ../../README.md, "Work".
//
// A section is the time between the end of one call and the begin of the next. What the library
// does itself, waiting above all, is in no section and never counts.
#pragma once

#include "mpi/core/world/layout.hpp"
#include "mpi/core/world/world.hpp"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

namespace saguaro::mpi {

// Events that are worth a call.
inline constexpr std::uint64_t events_of_a_call = 1000;

// What a counter says; none: it has been taken away.
using event_count = std::optional<std::uint64_t>;

// The sections of a rank, which tells the others of them. Of one thread.
class work_clock {
public:
    explicit work_clock(work_record &told) : told_(told) {}

    // A section begins at this clock and this count. Events of the section before that have not
    // made a whole call are part of this one.
    void leave(clock_value clock, std::uint64_t count) {
        from_ = count - rest_;
        // Relaxed, all three: the release below orders them.
        told_.clock.store(clock, std::memory_order_relaxed);
        told_.from.store(from_, std::memory_order_relaxed);
        const std::uint64_t now = told_.section.load(std::memory_order_relaxed);
        // Release pairs with the acquire in `work_bound`: whoever sees this section sees its clock,
        // and all messages that were sent before it.
        told_.section.store(now + 1, std::memory_order_release);
    }

    // The section is over: by how much the clock rises. None: the counter has been taken away.
    // count() is called when nobody believes in the section any more, so nobody who does has seen a
    // greater count.
    template <class Count>
    std::optional<clock_value> enter(Count count) {
        // Relaxed: this thread alone writes it. The fence orders the store before the count.
        const std::uint64_t now = told_.section.load(std::memory_order_relaxed);
        told_.section.store(now + 1, std::memory_order_relaxed);
        // Pairs with the fence in `work_bound`, by way of the kernel: it reads a counter for
        // another process on the processor of the counted thread, or under the lock that was held
        // when the thread left that. So who has a count from behind this fence sees the store.
        std::atomic_thread_fence(std::memory_order_seq_cst);
        const event_count seen = count();
        if (!seen)
            return std::nullopt;
        const std::uint64_t events = *seen - from_;
        rest_ = events % events_of_a_call;
        return events / events_of_a_call;
    }

private:
    work_record &told_;
    std::uint64_t from_ = 0;
    std::uint64_t rest_ = 0; // events that have not made a whole call
};

// A bound of a rank that computes: all that it sends later has a stamp above this. 0: it does not
// compute, or its section has ended meanwhile. count() reads the rank's own counter.
template <class Count>
clock_value work_bound(const work_record &of, Count count) {
    // Acquire pairs with the release in `leave`.
    const std::uint64_t section = of.section.load(std::memory_order_acquire);
    if (section % 2 == 0)
        return 0;
    // Relaxed, both: they are of this section, or another number is seen below.
    const clock_value clock = of.clock.load(std::memory_order_relaxed);
    const std::uint64_t from = of.from.load(std::memory_order_relaxed);
    const event_count seen = count();
    // Pairs with the fence in `enter`: for the count, and for the clock and the count at the begin,
    // which may be of a later section and were then written behind that fence.
    std::atomic_thread_fence(std::memory_order_acquire);
    if (!seen || of.section.load(std::memory_order_relaxed) != section)
        return 0;
    return clock + (*seen - from) / events_of_a_call;
}

// How far other ranks have come that compute.
class work_of_others {
public:
    // read(rank) reads that rank's counter.
    using count_of = std::function<event_count(std::uint32_t)>;
    work_of_others(const world &of, std::uint32_t me, count_of read);

    // Looks at the counters of those whose bounds are not above what is needed, which may not
    // suffice for a rank that goes first; not again before `pause_ns` are over.
    void learn(clock_value needed);

    // When the first of those that computed at the last look will be above what was needed, if it
    // goes on as fast as between the last two looks; `never`: that is not known.
    std::int64_t expected_at() const { return expected_at_; }
    static constexpr std::int64_t never = INT64_MAX;

    // The bound that was learned, which holds for good; 0: none was.
    clock_value operator[](std::uint32_t which) const { return bounds_[which]; }

    // A look interrupts the processor of who computes. Chosen without a measurement: the emulator
    // has no times.
    static constexpr std::int64_t pause_ns = 20'000;

private:
    // What a look at a counter has shown; 0: the rank did not compute.
    struct look {
        clock_value bound;
        std::int64_t when;
    };
    void note(look &last, const look &now, clock_value needed);

    const world &of_;
    std::uint32_t me_;
    count_of read_;
    std::vector<clock_value> bounds_;
    std::vector<look> last_looks_;
    std::int64_t next_look_ = 0;
    std::int64_t expected_at_ = never;
};

// How long a rank sleeps that waits for others to compute. Nobody wakes it when they have computed
// for long enough, so it looks when it expects that. It may be wrong, and sleeps for no longer at a
// time than it has slept already.
class naps_until_work {
public:
    // `expected` is the time until then.
    std::int64_t next(std::int64_t expected) {
        const std::int64_t nap = std::max(first_ns, std::min(expected, longest_));
        longest_ = std::min(2 * longest_, most_ns);
        return nap;
    }

    static constexpr std::int64_t first_ns = 100'000;
    static constexpr std::int64_t most_ns = 50'000'000;

private:
    std::int64_t longest_ = first_ns;
};

// Of the ranks, each opened when it is first read. Ends the process with a line if the system does
// not let ranks read each other's. The world has to live as long.
work_of_others::count_of counters_of_processors(const world &of);

} // namespace saguaro::mpi
