// SPDX-License-Identifier: MIT
// Tests of the counter of ticks.
#include "platform/arch.hpp"

#include <cstdint>
#include <gtest/gtest.h>

using namespace saguaro::platform;

TEST(ticks, go_forward) {
    const std::uint64_t begin = ticks();
    for (int i = 0; i < 1000; ++i)
        cpu_relax();
    EXPECT_GT(ticks(), begin);
}
