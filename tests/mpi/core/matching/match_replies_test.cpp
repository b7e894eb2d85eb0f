// SPDX-License-Identifier: MIT
// Tests of the answers to synchronous sends: when they are sent, and what is told meanwhile.
#include "mpi/core/matching/match_replies.hpp"

#include "mpi/core/matching/receives.hpp"
#include "mpi/core/rings/inbox.hpp"
#include "spmc/job.hpp"

#include <gtest/gtest.h>

namespace saguaro::mpi {
namespace {

// Rank 0 has read the first synchronous send of rank 1.
class match_replies_to_rank_1 : public testing::Test {
protected:
    ~match_replies_to_rank_1() override { EXPECT_TRUE(replies.is_valid()); }

    // When it was matched, by a record that rank 1 finds; 0: there is none.
    clock_value answer() {
        const record *const r = in_of_1.next(0);
        if (r == nullptr)
            return 0;
        EXPECT_EQ(r->what, kind::matched);
        EXPECT_EQ(r->number, 1U);
        const clock_value when = r->stamp.load();
        in_of_1.done(0, *r);
        return when;
    }
    clock_value untold() { return all.untold(all.rank(0))[1].load(); }
    std::uint32_t unmatched() { return all.unmatched(all.rank(0))[1].load(); }

    world all{spmc::job::mine(), world::make(spmc::job::mine(), 2)};
    rank_clock clock;
    known_bounds bounds{all, 0, clock};
    outbox out{all, 0};
    inbox in_of_1{all, 1};
    posted_receives posted;
    parked_messages parked{2};
    match_replies replies{all, 0, out, bounds, posted, parked};
    const match_reply match{1, test_context, 1, 10};
};

TEST_F(match_replies_to_rank_1, are_sent_when_they_are_settled) {
    replies.add(match);
    EXPECT_EQ(answer(), 0U);
    replies.settle();
    EXPECT_EQ(answer(), 10U);
    replies.settle();
    EXPECT_EQ(answer(), 0U);
}

TEST_F(match_replies_to_rank_1, are_held_until_the_clock_has_come_to_the_match) {
    replies.hold(match);
    EXPECT_TRUE(replies.is_valid());
    EXPECT_EQ(replies.first_held(), 10U);
    EXPECT_TRUE(replies.is_held(1, 1));
    replies.settle();
    EXPECT_EQ(untold(), 10U);
    EXPECT_EQ(unmatched(), 1U);
    replies.tell_until(9);
    EXPECT_EQ(answer(), 0U);
    EXPECT_EQ(replies.first_held(), 10U);
    replies.tell_until(10);
    EXPECT_EQ(answer(), 10U);
    EXPECT_EQ(untold(), 0U);
    EXPECT_EQ(replies.first_held(), forever);
}

TEST_F(match_replies_to_rank_1, that_are_held_want_a_bound_of_the_rank_itself) {
    replies.hold(match);
    replies.tell(bounds.known());
    EXPECT_EQ(bounds.needed(), 10U);
    EXPECT_EQ(answer(), 0U);
    clock.advance_to(10);
    replies.tell(bounds.known());
    EXPECT_EQ(answer(), 10U);
}

TEST_F(match_replies_to_rank_1, are_not_sent_of_a_match_that_was_taken_back) {
    replies.hold(match);
    replies.settle();
    replies.drop_held(1, 1);
    replies.settle();
    EXPECT_EQ(untold(), 0U);
    replies.tell_until(forever);
    EXPECT_EQ(answer(), 0U);
}

TEST_F(match_replies_to_rank_1, tell_whether_a_receive_from_any_source_may_take_a_send) {
    parked_message &m = park(parked, head_of(1, 5, 3, 1));
    request_object any;
    make_receive(any, any_rank, 5, 4);
    posted.add(any);
    replies.note_parked(1, 1);
    replies.settle();
    EXPECT_EQ(unmatched(), 0U);
    posted.remove(any);
    replies.receives_changed();
    replies.settle();
    EXPECT_EQ(unmatched(), 1U);
    free_parked(parked.take(m));
}

} // namespace
} // namespace saguaro::mpi
