// SPDX-License-Identifier: MIT
#include "record/tick_clock.hpp"

#include "platform/clock.hpp"

namespace saguaro::record {

tick_clock tick_clock::measured() {
    constexpr std::int64_t long_enough = 2'000'000; // ns: the rate is right to some 50 ppm
    tick_clock clock;
    const std::int64_t since = platform::now_ns();
    clock.origin_ = ticks();
    std::int64_t passed = 0;
    std::int64_t counted = 0;
    do {
        passed = platform::now_ns() - since;
        counted = ticks() - clock.origin_;
    } while (passed < long_enough || counted == 0);
    clock.rate_ =
        static_cast<std::uint64_t>((static_cast<wide>(passed) << 32) / static_cast<wide>(counted));
    return clock;
}

} // namespace saguaro::record
