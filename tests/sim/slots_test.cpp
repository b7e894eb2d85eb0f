// SPDX-License-Identifier: MIT
// Tests of a simulated deque's public and private slots.
#include "engine/slots.hpp"

#include "scheduler/deque.hpp"

#include <gtest/gtest.h>

namespace saguaro::sim {
namespace {

static_assert(slots::ahead == scheduler::deque::ahead);
static_assert(slots::patience == scheduler::deque::patience);

slots with(unsigned count) {
    slots made;
    for (unsigned frame = 0; frame < count; ++frame)
        made.push({frame, frame});
    return made;
}

TEST(slots, owner_pops_the_newest_and_a_thief_takes_the_oldest) {
    slots s = with(3);
    EXPECT_EQ(s.pop().frame, 2u);
    EXPECT_EQ(s.take().frame, 0u);
    EXPECT_FALSE(s.is_empty());
    EXPECT_EQ(s.pop().frame, 1u);
    EXPECT_TRUE(s.is_empty());
    s.push({7, 7});
    EXPECT_EQ(s.take().frame, 7u);
    EXPECT_TRUE(s.is_empty());
}

TEST(slots, so_many_oldest_become_public) {
    slots s = with(slots::ahead + 2);
    EXPECT_FALSE(s.is_oldest_public());
    s.request(5, 1);
    EXPECT_TRUE(s.is_requested());
    s.open_oldest();
    EXPECT_FALSE(s.is_requested());
    for (std::size_t taken = 0; taken < slots::ahead; ++taken) {
        ASSERT_TRUE(s.is_oldest_public()) << taken;
        s.take();
    }
    EXPECT_FALSE(s.is_oldest_public());
}

TEST(slots, private_again_after_eight_pops_in_vain) {
    slots s;
    s.open_oldest();
    for (unsigned pops = 0; pops < slots::patience; ++pops) {
        s.push({0, 0});
        ASSERT_TRUE(s.is_newest_public()) << pops;
        s.asked_in_vain();
        s.pop();
    }
    s.push({0, 0});
    EXPECT_FALSE(s.is_newest_public());
    EXPECT_FALSE(s.is_oldest_public());
}

TEST(slots, thief_that_takes_makes_the_owner_patient) {
    slots s;
    s.open_oldest();
    for (unsigned round = 0; round < 2; ++round) {
        for (unsigned pops = 0; pops + 1 < slots::patience; ++pops) {
            s.push({0, 0});
            s.asked_in_vain();
            s.pop();
        }
        s.push({0, 0});
        s.take(); // also takes a public slot away
    }
    s.push({0, 0});
    s.asked_in_vain();
    EXPECT_TRUE(s.is_newest_public());
}

TEST(slots, mark_stays_when_the_deque_runs_empty) {
    slots s = with(slots::ahead - 2);
    s.open_oldest();
    while (!s.is_empty())
        s.take(); // two are left
    for (unsigned frame = 0; frame < 3; ++frame)
        s.push({frame, frame});
    EXPECT_TRUE(s.is_oldest_public());
    EXPECT_FALSE(s.is_newest_public());
}

} // namespace
} // namespace saguaro::sim
