// SPDX-License-Identifier: MIT
// Tests of the border between a row's public and private slots.
#include "scheduler/steal_end.hpp"

#include "scheduler/steal.hpp"

#include <gtest/gtest.h>

#include <array>

namespace saguaro::scheduler {
namespace {

// A row of ints, whose owner is the test.
struct row : steal_end<row, int> {
    void show_exc(int **value) {
        exc = value;
        ++stores;
    }

    std::array<int *, 32> slots{};
    int **exc = nullptr;
    int stores = 0;
};

class steal_ends : public testing::Test {
protected:
    steal_ends() { r.start(first, false); }

    // A pop that asks though nobody wants anything.
    void ask_in_vain(int times, int **popped) {
        for (int i = 0; i < times; ++i)
            r.answer(popped);
    }

    row r;
    int **const first = r.slots.data();
};

TEST_F(steal_ends, a_new_row_is_private) {
    EXPECT_EQ(r.exc, first);
    EXPECT_FALSE(r.is_public(first));
    EXPECT_FALSE(r.expects_thieves());
    EXPECT_EQ(r.oldest(), nullptr);
}

TEST_F(steal_ends, a_request_makes_all_pops_ask_but_nothing_public) {
    r.ask(0);
    EXPECT_EQ(r.exc, row::everything());
    EXPECT_TRUE(r.request.waits());
    EXPECT_FALSE(r.is_public(first)) << "the owner may not have seen it";
}

TEST_F(steal_ends, the_owner_answers_with_its_oldest_slots) {
    r.ask(0);
    r.answer(first + 9);
    EXPECT_FALSE(r.is_asked());
    EXPECT_EQ(r.exc, first + row::ahead);
    EXPECT_TRUE(r.is_public(first + row::ahead - 1));
    EXPECT_FALSE(r.is_public(first + row::ahead));
}

TEST_F(steal_ends, the_owner_knows_without_the_lock_what_is_public) {
    EXPECT_FALSE(row::is_public_below(r.exc, first));
    r.expect_thieves();
    EXPECT_TRUE(row::is_public_below(r.exc, first + row::ahead - 1));
    EXPECT_FALSE(row::is_public_below(r.exc, first + row::ahead));
    r.ask(0);
    EXPECT_FALSE(row::is_public_below(r.exc, first)) << "a request says nothing of it";
}

TEST_F(steal_ends, what_is_public_is_not_more_than_what_the_owner_sees) {
    r.ask(0);
    r.answer(first);
    r.ask(1);
    EXPECT_EQ(r.exc, row::everything());
    EXPECT_TRUE(r.is_public(first + row::ahead - 1)) << "as before the request";
    EXPECT_FALSE(r.is_public(first + row::ahead));
}

TEST_F(steal_ends, nothing_stays_public_that_nobody_wants) {
    r.ask(0);
    r.answer(first);
    ask_in_vain(row::patience - 1, first);
    EXPECT_TRUE(r.is_public(first));
    ask_in_vain(1, first);
    EXPECT_FALSE(r.is_public(first));
    EXPECT_EQ(r.exc, first);
    EXPECT_FALSE(r.expects_thieves());
}

TEST_F(steal_ends, what_is_older_than_the_popped_slot_stays_public) {
    r.ask(0);
    r.answer(first);
    ask_in_vain(row::patience, first + 2);
    EXPECT_EQ(r.exc, first + 2);
    EXPECT_TRUE(r.is_public(first + 1));
}

TEST_F(steal_ends, an_answer_makes_nothing_public_by_itself) {
    r.keep_asking();
    r.answer(first + 5);
    EXPECT_FALSE(r.is_public(first)) << "asked on behalf of an abort: there is no thief";
    r.rest_again();
    EXPECT_EQ(r.exc, first);
}

TEST_F(steal_ends, a_robbery_restores_the_patience) {
    r.ask(0);
    r.answer(first);
    ask_in_vain(row::patience - 1, first);
    r.take_up_to(first + 1);
    r.answer(first + 1);
    ask_in_vain(row::patience - 1, first + 1);
    EXPECT_TRUE(r.is_public(first + 1));
}

TEST_F(steal_ends, exc_is_never_below_what_was_taken) {
    r.ask(0);
    r.answer(first);
    r.take_up_to(first + 3);
    EXPECT_EQ(r.head.load(), first + 3);
    int **const beyond = first + row::ahead + 2;
    r.pass_to(beyond);
    EXPECT_EQ(r.exc, beyond);
    r.forget_thieves();
    ask_in_vain(row::patience, beyond);
    EXPECT_EQ(r.exc, beyond);
}

TEST_F(steal_ends, a_steal_of_a_public_slot_leaves_the_owners_line_alone) {
    r.ask(0);
    r.answer(first);
    const int before = r.stores;
    r.take_up_to(first + 1);
    EXPECT_EQ(r.stores, before);
}

TEST_F(steal_ends, a_restart_forgets_what_was_taken) {
    r.ask(0);
    r.answer(first);
    r.take_up_to(first + 3);
    r.restart_at(first + 1);
    EXPECT_EQ(r.head.load(), first + 1);
    EXPECT_EQ(r.exc, first + 1 + row::ahead) << "it was robbed";
    ask_in_vain(row::patience, first + 1);
    EXPECT_EQ(r.exc, first + 1);
}

TEST_F(steal_ends, what_was_learnt_outlives_the_flow) {
    r.ask(0);
    r.answer(first);
    r.start(first, false);
    EXPECT_EQ(r.exc, first + row::ahead);
    ask_in_vain(row::patience, first);
    r.start(first, false);
    EXPECT_EQ(r.exc, first);
}

// The ticks of a slow counter are few: 1 to begin with.
TEST(average_fence, follows_what_fences_take) {
    for (const std::uint64_t taken : {2U, 3U, 10U, 1000U}) {
        std::uint64_t average = 1;
        for (int fence = 0; fence < 100; ++fence)
            average = average_fence(average, taken);
        EXPECT_EQ(average, taken);
        for (int fence = 0; fence < 100; ++fence)
            average = average_fence(average, 0);
        EXPECT_EQ(average, 1U);
    }
}

TEST(average_fence, trusts_no_single_one) {
    EXPECT_EQ(average_fence(100, 1'000'000), 125U);
    EXPECT_EQ(average_fence(1, 1'000'000), 2U);
    EXPECT_EQ(average_fence(100, 100), 100U);
}

TEST_F(steal_ends, a_request_without_a_time_is_as_old_as_the_first_look_at_it) {
    r.insist();
    EXPECT_FALSE(r.request.is_overdue(1000, 100));
    EXPECT_FALSE(r.request.is_overdue(1099, 100));
    EXPECT_TRUE(r.request.is_overdue(1100, 100));
}

TEST_F(steal_ends, a_request_is_overdue_after_its_time_and_once) {
    r.ask(1000);
    r.ask(1500);
    EXPECT_FALSE(r.request.is_overdue(1099, 100));
    EXPECT_TRUE(r.request.is_overdue(1100, 100)) << "the second request has not made it younger";
    r.request.begin_fence();
    EXPECT_FALSE(r.request.is_overdue(1700, 100)) << "somebody fences already";
    EXPECT_TRUE(r.request.is_overdue(1800, 100)) << "but may have lost its processor";
    EXPECT_TRUE(r.is_asked());
}

TEST_F(steal_ends, a_fence_makes_the_oldest_slots_public) {
    r.ask(0);
    const unsigned request = r.request.begin_fence();
    EXPECT_FALSE(r.is_public(first));
    r.end_fence(request);
    EXPECT_TRUE(r.is_public(first + row::ahead - 1));
    EXPECT_EQ(r.exc, first + row::ahead);
    EXPECT_FALSE(r.is_asked());
}

TEST_F(steal_ends, a_fence_counts_for_its_own_request_only) {
    r.ask(0);
    const unsigned request = r.request.begin_fence();
    r.answer(first);
    ask_in_vain(row::patience, first);
    r.ask(1);
    r.request.begin_fence();
    r.end_fence(request);
    EXPECT_FALSE(r.is_public(first)) << "the owner may not have seen the second request";
    EXPECT_TRUE(r.is_asked());
}

TEST_F(steal_ends, a_request_renewed_during_a_fence_is_not_fulfilled_by_it) {
    r.ask(0);
    const unsigned request = r.request.begin_fence();
    r.ask_anew(1);
    r.end_fence(request);
    EXPECT_TRUE(r.is_asked());
    EXPECT_FALSE(r.is_public(first));
}

TEST_F(steal_ends, a_sleeper_is_heard_although_a_thief_fences) {
    r.ask(0);
    const unsigned request = r.request.begin_fence();
    r.insist();
    r.end_fence(request);
    EXPECT_EQ(r.exc, row::everything()) << "the next pop asks, wherever it is";
}

TEST_F(steal_ends, two_thieves_may_fence_for_one_request) {
    r.ask(0);
    const unsigned first_one = r.request.begin_fence();
    const unsigned second_one = r.request.begin_fence();
    r.end_fence(second_one);
    EXPECT_TRUE(r.is_public(first));
    ask_in_vain(row::patience, first);
    r.end_fence(first_one);
    EXPECT_FALSE(r.is_public(first));
}

TEST_F(steal_ends, thieves_that_are_expected_need_not_ask) {
    r.expect_thieves();
    EXPECT_EQ(r.exc, first + row::ahead);
    EXPECT_TRUE(r.expects_thieves());
    EXPECT_FALSE(r.is_asked());
}

TEST_F(steal_ends, always_public_stays_so) {
    r.start(first, true);
    EXPECT_EQ(r.exc, row::everything());
    ask_in_vain(2 * row::patience, first);
    r.restart_at(first + 1);
    EXPECT_EQ(r.exc, row::everything());
    EXPECT_TRUE(r.is_public(first + 20));
    EXPECT_TRUE(r.expects_thieves());
}

TEST_F(steal_ends, a_fork_takes_the_thieves_away) {
    r.ask(0);
    r.forget_thieves();
    EXPECT_FALSE(r.is_asked());
    EXPECT_EQ(r.exc, first);
}

} // namespace
} // namespace saguaro::scheduler
