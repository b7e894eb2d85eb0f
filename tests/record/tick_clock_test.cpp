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
#include <cstdlib>
#include <thread>

namespace saguaro::record {
namespace {

#ifdef SG_TEST_EMULATED
constexpr double most_error = 0.01; // each reading is a call of the emulator's
#else
constexpr double most_error = 0.001;
#endif

// How far the counter goes from the other clock in 20 ms, as a part of them. Whatever runs
// meanwhile, and between two readings, the counter is read in between.
double error_of(const tick_clock &clock) {
    const std::int64_t outer = platform::now_ns();
    const std::int64_t since = clock();
    const std::int64_t inner = platform::now_ns();
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    const auto least = static_cast<double>(platform::now_ns() - inner);
    const auto counted = static_cast<double>(clock() - since);
    const auto most = static_cast<double>(platform::now_ns() - outer);
    return std::max({0.0, 1 - counted / least, counted / most - 1});
}

// The median of some, each of which a host may part from the other clock's.
TEST(tick_clock, goes_as_fast_as_the_systems) {
    std::array<double, 5> errors;
    for (double &each : errors)
        each = error_of(tick_clock::measured());
    std::sort(errors.begin(), errors.end());
    EXPECT_LT(errors[2], most_error);
}

TEST(tick_clock, is_measured_long_enough) {
    const std::int64_t since = platform::now_ns();
    tick_clock::measured();
    EXPECT_GE(platform::now_ns() - since, 50'000);
}

TEST(tick_clock, finds_the_tick_of_a_time) {
    const tick_clock clock = tick_clock::measured();
    const std::int64_t before = tick_clock::ticks();
    const std::int64_t now = clock.ticks_in(clock());
    EXPECT_GE(now, before - 4);
    EXPECT_LE(now, tick_clock::ticks() + 4);
    const std::int64_t later = clock() + 1'000'000;
    // As integers: a double knows times of today's date to 256 ns only.
    EXPECT_LE(std::abs(clock.ns(clock.ticks_in(later)) - later), clock.ns(2) + 1);
}

} // namespace
} // namespace saguaro::record
