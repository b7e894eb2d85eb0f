// SPDX-License-Identifier: MIT
// A clock that reads the processor's counter and converts it to nanoseconds.
#pragma once

#include "platform/arch.hpp"

#include <cstdint>

namespace saguaro::record {

// The processor's counter as nanoseconds, with a rate that was measured against the system's clock.
class tick_clock {
public:
    // Takes 50 µs, or as long as 5,000 ticks if that is longer. The rate is right to some 0.02 %.
    static tick_clock measured();

    static std::int64_t ticks() { return static_cast<std::int64_t>(platform::ticks()); }

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

    std::uint64_t rate_ = 0; // ns for each tick, times 2^32
};

} // namespace saguaro::record
