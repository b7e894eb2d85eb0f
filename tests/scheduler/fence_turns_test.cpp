// SPDX-License-Identifier: MIT
// Tests of the pause between two fences.
#include "scheduler/fence_turns.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>
#include <vector>

namespace saguaro::scheduler {
namespace {

constexpr std::uint64_t ticks = 100;
constexpr std::uint64_t whole_turn = (1 + fence_turns::pause) * ticks;

TEST(fence_turns, the_first_thief_has_its_turn_at_once) {
    fence_turns turns;
    EXPECT_TRUE(turns.take(0, ticks));
}

TEST(fence_turns, nobody_fences_during_a_fence_and_the_pause_after_it) {
    fence_turns turns;
    ASSERT_TRUE(turns.take(5000, ticks));
    EXPECT_FALSE(turns.take(5000, ticks));
    EXPECT_FALSE(turns.take(5000 + whole_turn - 1, ticks));
    EXPECT_TRUE(turns.take(5000 + whole_turn, ticks));
    EXPECT_FALSE(turns.take(5000 + whole_turn + 1, ticks));
}

TEST(fence_turns, processors_whose_ticks_are_behind_wait) {
    fence_turns turns;
    ASSERT_TRUE(turns.take(5000, ticks));
    EXPECT_FALSE(turns.take(4000, ticks));
}

TEST(fence_turns, one_of_several_threads_gets_a_turn) {
    constexpr int rounds = 3000;
    constexpr unsigned threads = 2;
    fence_turns turns;
    std::atomic<int> taken{0};
    std::atomic<unsigned> arrived{0};
    std::vector<std::thread> all;
    for (unsigned t = 0; t < threads; ++t)
        all.emplace_back([&] {
            for (unsigned round = 0; round < rounds; ++round) {
                arrived.fetch_add(1);
                for (int looks = 0; arrived.load() < (round + 1) * threads; ++looks)
                    if (looks > 1000)
                        std::this_thread::yield();
                taken += turns.take(round * whole_turn, ticks) ? 1 : 0;
            }
        });
    for (std::thread &one : all)
        one.join();
    EXPECT_EQ(taken, rounds);
}

} // namespace
} // namespace saguaro::scheduler
