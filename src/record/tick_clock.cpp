// SPDX-License-Identifier: MIT
// Measuring the rate of the processor's counter against the system's clock.
#include "record/tick_clock.hpp"

#include "platform/clock.hpp"

#include <limits>

namespace saguaro::record {

namespace {

// What both clocks say at one moment.
struct moment_of_both {
    std::int64_t tick;
    std::int64_t ns;
};

// Of five tries the shortest counts: an interrupt between the two readings makes the others longer.
moment_of_both read_both() {
    constexpr int tries = 5;
    moment_of_both best{};
    std::int64_t least = std::numeric_limits<std::int64_t>::max();
    for (int i = 0; i < tries; ++i) {
        const moment_of_both here{tick_clock::ticks(), platform::now_ns()};
        const std::int64_t took = tick_clock::ticks() - here.tick;
        if (took < least) {
            least = took;
            best = here;
        }
    }
    return best;
}

} // namespace

tick_clock tick_clock::measured() {
    if (told_ != nullptr) {
        tick_clock clock;
        clock.rate_ = std::uint64_t{1} << 32;
        return clock;
    }
    // The clocks are read to some 10 ns, or to a tick if that is longer.
    constexpr std::int64_t long_enough = 50'000; // ns
    constexpr std::int64_t many_ticks = 5'000;
    const moment_of_both since = read_both();
    while (platform::now_ns() - since.ns < long_enough || ticks() - since.tick < many_ticks) {
    }
    const moment_of_both now = read_both();
    tick_clock clock;
    clock.rate_ = static_cast<std::uint64_t>((static_cast<wide>(now.ns - since.ns) << 32) /
                                             static_cast<wide>(now.tick - since.tick));
    return clock;
}

} // namespace saguaro::record
