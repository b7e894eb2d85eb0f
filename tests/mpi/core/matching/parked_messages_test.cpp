// SPDX-License-Identifier: MIT
// Tests of the queues of messages that no receive has taken.
#include "mpi/core/matching/parked_messages.hpp"

#include "mpi/core/matching/receives.hpp"

#include <gtest/gtest.h>
#include <vector>

namespace saguaro::mpi {
namespace {

std::vector<clock_value> stamps_of(const parked_messages &all) {
    std::vector<clock_value> stamps;
    all.for_each([&](const envelope &head) { stamps.push_back(head.stamp); });
    return stamps;
}

class parked_messages_of_two : public testing::Test {
protected:
    ~parked_messages_of_two() override {
        EXPECT_TRUE(all.is_valid());
        for (std::uint32_t source = 0; source < 3; ++source) {
            request_object any;
            make_receive(any, source, abi::any_tag, 0);
            while (const parked_message *const m = all.first_from(source, any))
                free_parked(all.take(*m));
        }
    }

    parked_messages all{3};
    parked_message &first = park(all, head_of(1, 5, 10));
    parked_message &second = park(all, head_of(1, 6, 20));
    parked_message &third = park(all, head_of(1, 5, 30));
    parked_message &other = park(all, head_of(2, 5, 15));
};

TEST_F(parked_messages_of_two, come_first_of_their_source_and_tag) {
    request_object r;
    make_receive(r, 1, 6, 0);
    EXPECT_EQ(all.first_from(1, r), &second);
    EXPECT_EQ(all.first_from(2, r), nullptr);
    r.tag = abi::any_tag;
    EXPECT_EQ(all.first_from(1, r), &first);
    r.context = test_context + 2;
    EXPECT_EQ(all.first_from(1, r), nullptr);
}

TEST_F(parked_messages_of_two, can_be_added_after_the_last_one_was_taken) {
    free_parked(all.take(third));
    EXPECT_TRUE(all.is_valid());
    park(all, head_of(1, 5, 40));
    EXPECT_EQ(stamps_of(all), (std::vector<clock_value>{10, 20, 40, 15}));
}

TEST_F(parked_messages_of_two, leave_none_of_their_source_when_all_are_taken) {
    EXPECT_TRUE(all.has_none_of(0));
    EXPECT_FALSE(all.has_none_of(2));
    free_parked(all.take(other));
    EXPECT_TRUE(all.has_none_of(2));
}

TEST_F(parked_messages_of_two, are_put_back_where_their_stamp_says) {
    for (parked_message *const each : {&second, &third, &first}) {
        all.put_back(*all.take(*each));
        EXPECT_EQ(stamps_of(all), (std::vector<clock_value>{10, 20, 30, 15}));
        EXPECT_TRUE(all.is_valid());
    }
}

TEST_F(parked_messages_of_two, are_looked_at_by_source) {
    EXPECT_TRUE(all.any_of(2, [](const envelope &head) { return head.stamp == 15; }));
    EXPECT_FALSE(all.any_of(1, [](const envelope &head) { return head.stamp == 15; }));
}

} // namespace
} // namespace saguaro::mpi
