// SPDX-License-Identifier: MIT
// Reading the processor's counter and the system's clock at one moment.
#include "platform/both_clocks.hpp"

#include <gtest/gtest.h>

#include "support/told_clocks.hpp"

namespace saguaro::platform {
namespace {

// A counter of one tick a nanosecond: the two readings are of one moment if nothing was between
// them.
TEST(both_clocks, of_several_tries_the_closest_counts) {
    for (int each = 2; each <= 14; ++each) {
        told_clocks clocks(1);
        clocks.interrupt_each(each);
        const both_clocks here = both_clocks::read(clocks);
        if (each >= 4) // of five tries one at least had none
            EXPECT_EQ(here.ns - static_cast<std::int64_t>(here.ticks), told_clocks::reading_ns)
                << each;
    }
}

TEST(both_clocks, are_the_machines_own) {
    const std::uint64_t ticks = platform::ticks();
    const std::int64_t ns = now_ns();
    const both_clocks here = both_clocks::read();
    EXPECT_GE(here.ticks, ticks);
    EXPECT_LE(here.ticks, platform::ticks());
    EXPECT_GE(here.ns, ns);
    EXPECT_LE(here.ns, now_ns());
}

} // namespace
} // namespace saguaro::platform
