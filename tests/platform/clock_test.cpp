// SPDX-License-Identifier: MIT
// Tests of the clocks and of how a thread's clock finds its usual reading.
#include "platform/clock.hpp"

#include "platform/thread_clock.hpp"

#include <gtest/gtest.h>

#include <ctime>

TEST(now_ns, measures_a_sleep) {
    const std::int64_t begin = saguaro::platform::now_ns();
    const timespec nap{0, 5'000'000};
    nanosleep(&nap, nullptr);
    const std::int64_t slept = saguaro::platform::now_ns() - begin;
    EXPECT_GE(slept, 5'000'000);
    EXPECT_LT(slept, 5'000'000'000);
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
