// SPDX-License-Identifier: MIT
// The time that reducers take, by clocks that are told.
#include "hyperobjects/times.hpp"

#include <gtest/gtest.h>

#include "support/told_clocks.hpp"

namespace saguaro::hyperobjects {
namespace {

// The timer holds clocks of its own; these are the test's.
struct clocks_of_the_test {
    told_clocks *told;
    std::uint64_t ticks() const { return told->ticks(); }
};

using timer = lap_timer_by<clocks_of_the_test>;

constexpr auto reading = static_cast<std::uint64_t>(told_clocks::reading_ns);

TEST(times, a_lap_begins_where_the_one_before_ends) {
    told_clocks clocks(1);
    account first;
    account second;
    timer laps(true, 64, {&clocks});
    clocks.pass(100);
    laps.charge(first);
    clocks.pass(1'000);
    laps.charge(second);
    clocks.pass(5);
    laps.charge(second);
    EXPECT_EQ(first.ticks, 64 * (100 + reading));
    EXPECT_EQ(first.laps, 64U);
    EXPECT_EQ(second.ticks, 64 * (1'000 + 5 + 2 * reading));
    EXPECT_EQ(second.laps, 128U);
}

TEST(times, a_timer_that_is_off_reads_no_clock) {
    told_clocks clocks(1);
    account none;
    timer laps(false, 64, {&clocks});
    const std::int64_t before = clocks.now();
    laps.charge(none);
    EXPECT_EQ(none.ticks + none.laps, 0U);
    EXPECT_EQ(clocks.now(), before);
}

TEST(times, an_account_in_seconds_is_without_its_readings) {
    told_clocks clocks(3);
    const time_origin origin = time_origin::found_by(clocks);
    EXPECT_EQ(origin.reading, 3 * reading);
    account spent;
    timer laps(true, 10, {&clocks});
    for (int i = 0; i < 4; ++i) {
        clocks.pass(1'000'000);
        laps.charge(spent);
    }
    EXPECT_DOUBLE_EQ(origin.seconds(spent, platform::both_clocks::read(clocks)), 0.04);
}

TEST(times, an_account_of_readings_alone_is_of_no_time) {
    told_clocks clocks(3);
    const time_origin origin = time_origin::found_by(clocks);
    clocks.pass(1'000);
    const auto now = platform::both_clocks::read(clocks);
    EXPECT_EQ(origin.seconds({.ticks = 59, .laps = 1}, now), 0.0);
    EXPECT_EQ(origin.seconds({.ticks = 60, .laps = 1}, now), 0.0);
    EXPECT_GT(origin.seconds({.ticks = 61, .laps = 1}, now), 0.0);
}

TEST(times, a_readings_cost_is_the_usual_one) {
    told_clocks clocks(1);
    clocks.interrupt_each(3);
    EXPECT_EQ(time_origin::found_by(clocks).reading, reading);
}

TEST(times, an_accounts_seconds_are_the_processs) {
    prepare_times();
    EXPECT_EQ(seconds_of({}), 0.0);
    constexpr std::uint64_t many = std::uint64_t{1} << 40;
    EXPECT_GT(seconds_of({.ticks = many, .laps = 0}), 0.0);
}

} // namespace
} // namespace saguaro::hyperobjects
