// SPDX-License-Identifier: MIT
// Tests of the bounds that other ranks derive from a rank's blockage while ranks are spawned.
#include "mpi/core/clock/clock_board.hpp"

#include "spmc/job.hpp"

#include <gtest/gtest.h>

namespace saguaro::mpi {
namespace {

// The record of a rank that has read nothing.
void say_blocked(clock_board &on, const blockage &why) {
    on.say_blocked(why, std::vector<in_ring>(world::capacity()));
}

clock_value derived_bound(clock_board &by, std::uint32_t of) {
    clock_bounds bounds = by.fresh();
    by.snapshot(bounds);
    return bounds[of];
}

TEST(clock_board, does_not_believe_who_waits_for_all_and_has_not_told_of_a_new_rank) {
    world all(spmc::job::mine(), world::make(spmc::job::mine(), 2));
    clock_board accepts(all, 0);
    clock_board computes(all, 1);
    accepts.publish(10);
    blockage why;
    why.waits_for.add(1);
    why.of_all = 2;
    say_blocked(accepts, why);
    computes.publish(1000);
    EXPECT_EQ(derived_bound(computes, 0), 1000 + hop_of_message);

    all.add(1, 1, 5, 0); // its first message may let rank 0 go on at 7
    EXPECT_EQ(derived_bound(computes, 0), 10U);
    why.waits_for.add(2);
    why.of_all = 3;
    why.least = 6;
    say_blocked(accepts, why);
    EXPECT_EQ(derived_bound(computes, 0), 5 + hop_of_message);
}

TEST(clock_board, tells_again_of_a_rank_that_was_not_there) {
    world all(spmc::job::mine(), world::make(spmc::job::mine(), 64));
    clock_board waits(all, 0);
    blockage why;
    why.waits_for.add(64);
    say_blocked(waits, why);
    all.add(1, 1, 5, 0);
    say_blocked(waits, why);
    EXPECT_EQ(all.waits_for(all.rank(0))[1].load(), 1U);
}

} // namespace
} // namespace saguaro::mpi
