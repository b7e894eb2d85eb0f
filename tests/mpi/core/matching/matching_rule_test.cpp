// SPDX-License-Identifier: MIT
// Tests of the rule over what has come: which message is first, and at which bounds that is
// certain.
#include "mpi/core/matching/matching_rule.hpp"

#include "mpi/core/communicators/communicators.hpp"
#include "mpi/core/matching/receives.hpp"
#include "spmc/job.hpp"

#include <gtest/gtest.h>

namespace saguaro::mpi {
namespace {

using answer = matching_rule::answer;

// Rank 0 of four, which has a receive from any source.
class matching_rule_of_four : public testing::Test {
protected:
    matching_rule_of_four() {
        on.local = std::make_shared<const group_object>(std::vector<std::uint32_t>{0, 1, 2, 3});
        make_receive(any, any_rank, abi::any_tag, 1);
        any.on = &on;
        clock.advance_to(100);
    }
    ~matching_rule_of_four() override {
        while (const parked_message *const m = rule.best_for(any))
            free_parked(parked.take(*m));
    }

    clock_bounds bounds_at(clock_value of_1, clock_value of_2, clock_value of_3) {
        clock_bounds made = bounds.board.fresh();
        made[1] = of_1;
        made[2] = of_2;
        made[3] = of_3;
        return made;
    }

    world all{spmc::job::mine(), world::make(spmc::job::mine(), 4)};
    rank_clock clock;
    known_bounds bounds{all, 0, clock};
    posted_receives posted;
    parked_messages parked{4};
    synchronous_sends sends{all, 0};
    matching_rule rule{all, 0, bounds, posted, parked, sends};
    comm_object on;
    request_object any;
};

TEST_F(matching_rule_of_four, prefers_the_least_stamp_and_then_the_least_source) {
    EXPECT_EQ(rule.best_for(any), nullptr);
    park(parked, head_of(3, 1, 20));
    park(parked, head_of(2, 1, 10));
    park(parked, head_of(1, 1, 10));
    EXPECT_EQ(rule.best_for(any)->head.source, 1U);
    request_object named;
    make_receive(named, 3, 1, 1);
    EXPECT_EQ(rule.best_for(named)->head.stamp, 20U);
}

TEST_F(matching_rule_of_four, knows_the_first_message_when_no_bound_is_below_it) {
    const parked_message &m = park(parked, head_of(2, 1, 10));
    EXPECT_TRUE(rule.is_first(any, m.head, bounds_at(10, 0, 9)));
    EXPECT_EQ(bounds.needed(), forever);
    EXPECT_FALSE(rule.is_first(any, m.head, bounds_at(9, 0, 9))); // rank 1 goes before at 10
    EXPECT_EQ(bounds.needed(), 9U);
    EXPECT_FALSE(rule.is_first(any, m.head, bounds_at(10, 0, 8)));
    park(parked, head_of(3, 1, 12));
    EXPECT_TRUE(rule.is_first(any, m.head, bounds_at(10, 0, 8)));
}

TEST_F(matching_rule_of_four, takes_a_stamp_that_was_read_for_a_bound) {
    const parked_message &m = park(parked, head_of(2, 1, 10));
    bounds.note_stamp(1, 30);
    EXPECT_TRUE(rule.is_first(any, m.head, bounds_at(0, 0, 20)));
}

TEST_F(matching_rule_of_four, knows_that_none_arrives_until_a_clock) {
    EXPECT_TRUE(rule.none_until(any, 11, bounds_at(10, 10, 10)));
    EXPECT_FALSE(rule.none_until(any, 12, bounds_at(10, 12, 12)));
    EXPECT_EQ(bounds.needed(), 12 - latency);
    park(parked, head_of(1, 1, 15));
    EXPECT_TRUE(rule.none_until(any, 15, bounds_at(0, 15, 15)));
    EXPECT_FALSE(rule.none_until(any, 16, bounds_at(0, 15, 15)));
}

TEST_F(matching_rule_of_four, says_whether_a_request_is_complete) {
    any.completed = 20;
    any.is_complete = true;
    EXPECT_EQ(rule.is_complete_at(any, 19, bounds.known()), answer::no);
    EXPECT_EQ(rule.is_complete_at(any, 20, bounds.known()), answer::yes);
    any.is_complete = false;
    EXPECT_EQ(rule.is_complete_at(any, 20, bounds_at(0, 0, 0)), answer::undecided);
    EXPECT_EQ(rule.is_complete_at(any, 20, bounds_at(20, 20, 20)), answer::no);

    request_object send;
    send.what = action::synchronous_send;
    send.peer = 1;
    send.posted = 30;
    sends.add(send);
    EXPECT_EQ(rule.is_complete_at(send, 31, bounds.known()), answer::no);
    EXPECT_EQ(rule.is_complete_at(send, 32, bounds.known()), answer::undecided);
}

TEST_F(matching_rule_of_four, describes_a_receive_by_its_senders_and_its_candidate) {
    posted.add(any);
    park(parked, head_of(2, 1, 10));
    blockage why;
    rule.describe(any, why);
    EXPECT_EQ(why.waits_for.word(0), 0b1110U);
    EXPECT_EQ(why.candidate, 10U);
    why.clear();
    request_object named;
    make_receive(named, 3, 1, 1);
    rule.describe(named, why);
    EXPECT_EQ(why.waits_for.word(0), 0b1000U);
    EXPECT_EQ(why.candidate, forever);
}

} // namespace
} // namespace saguaro::mpi
