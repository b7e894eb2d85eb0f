// SPDX-License-Identifier: MIT
// The clock that a recording is timed by: the processor's counter, or what a test puts in its
// place.
#pragma once

#include "platform/arch.hpp"
#include "platform/both_clocks.hpp"
#include "platform/clock.hpp"

#include <cstdint>

namespace saguaro::record {

// Time that a test tells, in place of the processor's counter and the system's clocks.
class told_time {
public:
    virtual ~told_time() = default;
    // Nanoseconds, one for each tick of the counter. The thread that works, here and in `own`.
    virtual std::int64_t wall() = 0;
    // Of those, what the thread that works has had a processor for.
    virtual std::int64_t own() = 0;

    // The thread that watches a doze (dozing.hpp): the thread that works is about to begin it or to
    // rouse it, the watcher is about to sleep until it is roused, and the thread that works is
    // going to wait for its end, or could not begin it.
    enum class watcher { runs, sleeps, ends };
    virtual void tell(watcher state) = 0;
    // The watcher pauses here for so many nanoseconds, or until it is to end.
    virtual void pause_watcher(std::int64_t ns) = 0;
};

// The processor's counter as nanoseconds, with a rate that was measured against the system's clock.
class tick_clock {
public:
    // Takes 50 µs, or as long as 5,000 ticks if that is longer. The rate is right to some 0.02 %.
    static tick_clock measured();

    template <typename Clocks>
    static tick_clock measured_by(Clocks &&clocks) {
        // The clocks are read to some 10 ns, or to a tick if that is longer.
        constexpr std::int64_t long_enough = 50'000; // ns
        constexpr std::uint64_t many_ticks = 5'000;
        const auto since = platform::both_clocks::read(clocks);
        while (clocks.ns() - since.ns < long_enough || clocks.ticks() - since.ticks < many_ticks) {
        }
        const auto now = platform::both_clocks::read(clocks);
        tick_clock clock;
        clock.rate_ = static_cast<std::uint64_t>((static_cast<wide>(now.ns - since.ns) << 32) /
                                                 static_cast<wide>(now.ticks - since.ticks));
        return clock;
    }

    // A recorder that is told the time looks at no other clock, and its watcher neither. Null: it
    // looks at the counter. To be set while nothing records, by the thread that starts the workers;
    // the recorder reads the pointer beside each reading of the counter, which takes twenty times
    // as long.
    static void replace_by(told_time *told) { told_ = told; }
    static told_time *told() { return told_; }

    static std::int64_t ticks() {
        return told_ == nullptr ? static_cast<std::int64_t>(platform::ticks()) : told_->wall();
    }

    // The time for which this thread has had a processor, ns.
    struct own_time {
        std::int64_t operator()() const {
            return told_ == nullptr ? platform::thread_ns() : told_->own();
        }
    };

    // How long so many ticks / 2^shift are, to the nearest.
    std::int64_t ns(std::int64_t ticks, unsigned shift = 0) const {
        const unsigned below = 32 + shift;
        return static_cast<std::int64_t>(
            (static_cast<wide>(ticks) * rate_ + (std::uint64_t{1} << (below - 1))) >> below);
    }
    std::int64_t ticks_in(std::int64_t ns) const {
        return static_cast<std::int64_t>((static_cast<wide>(ns) << 32) / rate_);
    }

    // Nanoseconds since the counter was 0.
    std::int64_t operator()() const { return ns(ticks()); }

private:
    __extension__ using wide = unsigned __int128;

    static inline told_time *told_ = nullptr;

    std::uint64_t rate_ = 0; // ns for each tick, times 2^32
};

} // namespace saguaro::record
