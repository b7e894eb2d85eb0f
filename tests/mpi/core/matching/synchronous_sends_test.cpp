// SPDX-License-Identifier: MIT
// Tests of a rank's synchronous sends: their numbers, their matches, and the earliest time of one.
#include "mpi/core/matching/synchronous_sends.hpp"

#include "mpi/core/matching/receives.hpp"
#include "spmc/job.hpp"

#include <gtest/gtest.h>

namespace saguaro::mpi {
namespace {

class synchronous_sends_to_two : public testing::Test {
protected:
    synchronous_sends_to_two() {
        for (int i = 0; i < 4; ++i) {
            made[i].what = action::synchronous_send;
            made[i].peer = i < 3 ? 1 : 2;
            made[i].posted = static_cast<clock_value>(10 + i);
            sends.add(made[i]);
        }
    }
    ~synchronous_sends_to_two() override { EXPECT_TRUE(sends.is_valid()); }

    world all{spmc::job::mine(), world::make(spmc::job::mine(), 3)};
    synchronous_sends sends{all, 0};
    request_object made[4];
};

TEST_F(synchronous_sends_to_two, have_numbers_of_each_receiver) {
    EXPECT_EQ(made[0].number, 1U);
    EXPECT_EQ(made[2].number, 3U);
    EXPECT_EQ(made[3].number, 1U);
}

TEST_F(synchronous_sends_to_two, are_matched_in_any_order) {
    sends.was_matched(1, 3, 50);
    EXPECT_TRUE(sends.is_valid());
    EXPECT_TRUE(made[2].is_complete);
    EXPECT_FALSE(made[0].is_complete);
    sends.was_matched(1, 1, 5);
    sends.was_matched(2, 1, 20);
    EXPECT_TRUE(sends.is_valid());
    sends.was_matched(1, 2, 60);
    EXPECT_EQ(made[2].completed, 50 + latency);
    EXPECT_EQ(made[0].completed, made[0].posted); // a receive that was posted long before
}

TEST_F(synchronous_sends_to_two, are_matched_when_they_arrive_at_the_earliest) {
    EXPECT_EQ(sends.earliest_match(made[0], 100), made[0].posted + latency);
}

TEST_F(synchronous_sends_to_two, are_matched_above_the_bound_of_who_can_take_none_of_them) {
    all.unmatched(all.rank(1))[0].store(2);
    sends.learn();
    EXPECT_EQ(sends.earliest_match(made[1], 100), 101U);
    EXPECT_EQ(sends.earliest_match(made[2], 100), made[2].posted + latency); // it has not been read
    all.untold(all.rank(1))[0].store(70);
    sends.learn();
    EXPECT_EQ(sends.earliest_match(made[1], 100), 70U);
}

} // namespace
} // namespace saguaro::mpi
