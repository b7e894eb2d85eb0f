// SPDX-License-Identifier: MIT
// Tests of the bounds that a rank knows, and of the one that it wants.
#include "mpi/core/clock/known_bounds.hpp"

#include "spmc/job.hpp"

#include <gtest/gtest.h>

namespace saguaro::mpi {
namespace {

class known_bounds_of_three : public testing::Test {
protected:
    world all{spmc::job::mine(), world::make(spmc::job::mine(), 3)};
    rank_clock clock;
    known_bounds bounds{all, 0, clock};
};

TEST_F(known_bounds_of_three, are_those_that_others_have_published) {
    publish_bound(all, 1, 40);
    EXPECT_EQ(bounds.of(1, bounds.known()), 0U);
    bounds.read();
    EXPECT_EQ(bounds.of(1, bounds.known()), 40U);
    EXPECT_EQ(bounds.of(2, bounds.known()), 0U);
}

TEST_F(known_bounds_of_three, are_no_lower_than_the_last_stamp_that_was_read) {
    bounds.note_stamp(2, 30);
    EXPECT_EQ(bounds.of(2, bounds.known()), 30U);
    publish_bound(all, 2, 40);
    bounds.read();
    EXPECT_EQ(bounds.of(2, bounds.known()), 40U);
}

TEST_F(known_bounds_of_three, have_the_clock_of_the_rank_itself) {
    bounds.note_stamp(0, 50); // it sent that to itself
    clock.advance_to(7);
    EXPECT_EQ(bounds.of(0, bounds.known()), 7U);
    clock.advance_to(3);
    EXPECT_EQ(clock.now(), 7U);
}

TEST_F(known_bounds_of_three, remember_the_least_one_that_is_wanted) {
    EXPECT_EQ(bounds.needed(), forever);
    bounds.wants(20);
    bounds.wants(30);
    EXPECT_EQ(bounds.needed(), 20U);
    bounds.want_nothing();
    EXPECT_EQ(bounds.needed(), forever);
}

TEST_F(known_bounds_of_three, follow_from_the_ranks_that_a_blocked_one_waits_for) {
    clock_board of_1(all, 1);
    publish_bound(all, 1, 5);
    publish_bound(all, 2, 40);
    blockage why;
    why.waits_for.add(2);
    of_1.say_blocked(why, std::vector<in_ring>(world::capacity()));
    bounds.derive();
    EXPECT_EQ(bounds.of(1, bounds.known()), 40 + hop_of_message);
    EXPECT_FALSE(bounds.are_all_stuck());
}

} // namespace
} // namespace saguaro::mpi
