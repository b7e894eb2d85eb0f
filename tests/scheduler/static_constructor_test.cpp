// SPDX-License-Identifier: MIT
// Objects whose constructors are parallel, before main and perhaps before the library's own
// constructors: what they enter through must be there from the beginning.
#include "saguaro/saguaro.hpp"

#include <gtest/gtest.h>

#include <atomic>

namespace {

struct counts_in_a_loop {
    counts_in_a_loop() {
        saguaro::parallel_for(0, 100, [this](int) { ++count; });
    }
    std::atomic<int> count{0};
};

struct calls_and_spawns {
    calls_and_spawns() {
        saguaro::parallel_invoke([this] { ++count; }, [this] { ++count; });
        saguaro::scope s;
        s.spawn([this] { ++count; });
        s.sync();
    }
    std::atomic<int> count{0};
};

const counts_in_a_loop before_main;
const calls_and_spawns before_main_too;

TEST(static_constructor, loops) {
    EXPECT_EQ(before_main.count, 100);
}

TEST(static_constructor, calls_and_spawns) {
    EXPECT_EQ(before_main_too.count, 3);
}

} // namespace
