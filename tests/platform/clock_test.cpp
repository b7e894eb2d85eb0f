// SPDX-License-Identifier: MIT
// Tests of the clocks and of how a thread's clock finds its usual reading.
#include "platform/clock.hpp"

#include "platform/thread_clock.hpp"

#include <gtest/gtest.h>

#include <ctime>

std::int64_t monotonic_ns() {
    timespec now{};
    clock_gettime(CLOCK_MONOTONIC, &now);
    return static_cast<std::int64_t>(now.tv_sec) * 1'000'000'000 + now.tv_nsec;
}

TEST(now_ns, counts_the_nanoseconds_of_the_systems_clock) {
    const std::int64_t before = monotonic_ns();
    const std::int64_t begin = saguaro::platform::now_ns();
    const timespec nap{0, 5'000'000};
    nanosleep(&nap, nullptr);
    const std::int64_t end = saguaro::platform::now_ns();
    EXPECT_LE(before, begin);
    EXPECT_GE(end - begin, 5'000'000);
    EXPECT_LE(end, monotonic_ns());
}

// A processor's counter that goes on by 10 from reading to reading, and at each 25th by 1.
struct uneven_counter {
    std::int64_t now = 0;
    int readings = 0;

    std::int64_t operator()() { return now += ++readings % 25 == 0 ? 1 : 10; }
};

TEST(thread_clock, usual_reading_is_not_the_least) {
    saguaro::platform::thread_clock<uneven_counter> clock;
    EXPECT_EQ(clock.usual_reading(), 10);
}
