// SPDX-License-Identifier: MIT
#include "platform/clock.hpp"

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
