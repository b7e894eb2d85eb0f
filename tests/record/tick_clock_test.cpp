// SPDX-License-Identifier: MIT
// The processor's counter as nanoseconds, by clocks that are told the time.
#include "record/tick_clock.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <cstdlib>

#include "support/told_clocks.hpp"

namespace saguaro::record {
namespace {

TEST(tick_clock, goes_at_the_rate_of_the_clock_beside_it) {
    told_clocks three(3);
    EXPECT_EQ(tick_clock::measured_by(three).ns(3'000'000'000), 1'000'000'000);
    told_clocks half(1, 2);
    EXPECT_EQ(tick_clock::measured_by(half).ns(500'000'000), 1'000'000'000);
}

TEST(tick_clock, heeds_no_interruption_of_a_reading) {
    for (int each = 4; each <= 20; ++each) {
        told_clocks clocks(3);
        clocks.interrupt_each(each);
        EXPECT_EQ(tick_clock::measured_by(clocks).ns(3'000'000'000), 1'000'000'000) << each;
    }
}

TEST(tick_clock, is_measured_long_enough) {
    told_clocks fine(3);
    const std::int64_t since = fine.now();
    tick_clock::measured_by(fine);
    EXPECT_GE(fine.now() - since, 50'000);
    EXPECT_LE(fine.now() - since, 51'000);

    // A tick takes 50 ns: 5,000 of them.
    told_clocks coarse(1, 50);
    const std::int64_t then = coarse.now();
    tick_clock::measured_by(coarse);
    EXPECT_GE(coarse.now() - then, 250'000);
    EXPECT_LE(coarse.now() - then, 251'000);
}

TEST(tick_clock, finds_the_tick_of_a_time) {
    told_clocks clocks(3);
    const tick_clock clock = tick_clock::measured_by(clocks);
    for (const std::int64_t ticks : {0L, 3L, 3'000'000L, 5'000'000'000'000'000L}) {
        EXPECT_LE(std::abs(clock.ticks_in(clock.ns(ticks)) - ticks), 4);
        EXPECT_LE(std::abs(clock.ns(clock.ticks_in(ticks)) - ticks), 1);
    }
    EXPECT_EQ(clock.ns(3'000'000, 3), 125'000) << "in eighths of a tick";
}

// The machine's, which nobody tells.
TEST(tick_clock, reads_the_processors_counter) {
    const tick_clock clock = tick_clock::measured();
    const auto before = static_cast<std::int64_t>(platform::ticks());
    const std::int64_t now = clock();
    EXPECT_GE(now, clock.ns(before));
    EXPECT_LE(now, clock.ns(static_cast<std::int64_t>(platform::ticks())));
    EXPECT_GT(clock.ns(1'000'000'000), 0);
}

} // namespace
} // namespace saguaro::record
