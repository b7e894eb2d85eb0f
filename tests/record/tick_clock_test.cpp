// SPDX-License-Identifier: MIT
// The processor's counter as nanoseconds.
#include "record/tick_clock.hpp"

#include "platform/clock.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <limits>
#include <thread>

namespace saguaro::record {
namespace {

#ifdef SG_TEST_EMULATED
constexpr double most_error = 0.01; // each reading is a call of the emulator's
#else
constexpr double most_error = 0.001;
#endif

// The other clock's time, and how far the counter goes from it in 20 ms, as a part of them. Of some
// tries the best: others may run between the two readings.
double error_of(const tick_clock &clock) {
    double least = 1;
    for (int i = 0; i < 5; ++i) {
        const std::int64_t ns = platform::now_ns();
        const std::int64_t ticks = clock();
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
        const auto passed = static_cast<double>(platform::now_ns() - ns);
        const auto counted = static_cast<double>(clock() - ticks);
        least = std::min(least, std::abs(counted / passed - 1));
    }
    return least;
}

TEST(tick_clock, goes_as_fast_as_the_systems) {
    std::array<double, 5> errors;
    for (double &each : errors)
        each = error_of(tick_clock::measured());
    std::sort(errors.begin(), errors.end());
    EXPECT_LT(errors[2], most_error);
}

// A recording begins with it, so the program waits for it.
TEST(tick_clock, is_measured_in_much_less_than_a_millisecond_but_long_enough) {
    std::int64_t least = std::numeric_limits<std::int64_t>::max();
    for (int i = 0; i < 20; ++i) {
        const std::int64_t since = platform::now_ns();
        tick_clock::measured();
        least = std::min(least, platform::now_ns() - since);
    }
    // A counter of 10 MHz has 5,000 ticks in 0.5 ms.
    EXPECT_LT(least, 800'000);
    EXPECT_GE(least, 50'000);
}

TEST(tick_clock, finds_the_tick_of_a_time) {
    const tick_clock clock = tick_clock::measured();
    const std::int64_t before = tick_clock::ticks();
    const std::int64_t now = clock.ticks_in(clock());
    EXPECT_GE(now, before - 4);
    EXPECT_LE(now, tick_clock::ticks() + 4);
    const std::int64_t later = clock() + 1'000'000;
    EXPECT_NEAR(static_cast<double>(clock.ns(clock.ticks_in(later))), static_cast<double>(later),
                static_cast<double>(clock.ns(2)) + 1);
}

} // namespace
} // namespace saguaro::record
