// SPDX-License-Identifier: MIT
// Measuring the rate of the processor's counter against the system's clock.
#include "record/tick_clock.hpp"

#include "platform/both_clocks.hpp"

namespace saguaro::record {

tick_clock tick_clock::measured() {
    if (told_ != nullptr) {
        tick_clock clock;
        clock.rate_ = std::uint64_t{1} << 32;
        return clock;
    }
    // The clocks are read to some 10 ns, or to a tick if that is longer.
    constexpr std::int64_t long_enough = 50'000; // ns
    constexpr std::uint64_t many_ticks = 5'000;
    const auto since = platform::both_clocks::read();
    while (platform::now_ns() - since.ns < long_enough ||
           platform::ticks() - since.ticks < many_ticks) {
    }
    const auto now = platform::both_clocks::read();
    tick_clock clock;
    clock.rate_ = static_cast<std::uint64_t>((static_cast<wide>(now.ns - since.ns) << 32) /
                                             static_cast<wide>(now.ticks - since.ticks));
    return clock;
}

} // namespace saguaro::record
