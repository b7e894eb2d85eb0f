// SPDX-License-Identifier: MIT
// The processor's counter and the system's clock at one moment.
#pragma once

#include "platform/arch.hpp"
#include "platform/clock.hpp"

#include <cstdint>
#include <limits>

namespace saguaro::platform {

// The clocks of the machine; a test has its own in their place.
struct machine_clocks {
    std::uint64_t ticks() const { return platform::ticks(); }
    std::int64_t ns() const { return now_ns(); }
};

struct both_clocks {
    std::uint64_t ticks;
    std::int64_t ns;

    // Some 0.3 µs. Of several tries the one counts whose readings were closest to each other: an
    // interrupt, or a thread that has the processor meanwhile, parts them.
    template <typename Clocks = machine_clocks>
    static both_clocks read(Clocks &&clocks = {}) {
        constexpr int tries = 5;
        both_clocks best{};
        std::uint64_t least = std::numeric_limits<std::uint64_t>::max();
        for (int i = 0; i < tries; ++i) {
            const both_clocks here{clocks.ticks(), clocks.ns()};
            const std::uint64_t apart = clocks.ticks() - here.ticks;
            if (apart < least) {
                least = apart;
                best = here;
            }
        }
        return best;
    }
};

} // namespace saguaro::platform
