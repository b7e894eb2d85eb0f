// SPDX-License-Identifier: MIT
// Tests of the list of posted receives: its order, its end, and what contests a message.
#include "mpi/core/matching/posted_receives.hpp"

#include "mpi/core/matching/receives.hpp"

#include <gtest/gtest.h>
#include <vector>

namespace saguaro::mpi {
namespace {

std::vector<std::int32_t> tags_of(const posted_receives &list) {
    std::vector<std::int32_t> tags;
    for (const request_object *r = list.first(); r != nullptr; r = r->next)
        tags.push_back(r->tag);
    return tags;
}

class posted_receives_in_order : public testing::Test {
protected:
    posted_receives_in_order() {
        for (int i = 0; i < 4; ++i) {
            make_receive(receives[i], i % 2 == 0 ? 1 : any_rank, i,
                         static_cast<clock_value>(10 * i));
            list.add(receives[i]);
        }
    }
    ~posted_receives_in_order() override { EXPECT_TRUE(list.is_valid()); }

    posted_receives list;
    request_object receives[4];
};

TEST_F(posted_receives_in_order, can_be_added_after_the_last_one_was_removed) {
    list.remove(receives[3]);
    EXPECT_TRUE(list.is_valid());
    list.add(receives[3]);
    list.remove(receives[1]);
    EXPECT_EQ(tags_of(list), (std::vector<std::int32_t>{0, 2, 3}));
}

TEST_F(posted_receives_in_order, are_empty_when_all_are_removed) {
    for (request_object &each : receives)
        list.remove(each);
    EXPECT_TRUE(list.is_empty());
    EXPECT_FALSE(list.has_wild());
}

TEST_F(posted_receives_in_order, know_whether_one_is_from_any_source) {
    EXPECT_TRUE(list.has_wild());
    list.remove(receives[1]);
    EXPECT_TRUE(list.has_wild());
    list.remove(receives[3]);
    EXPECT_FALSE(list.has_wild());
}

TEST_F(posted_receives_in_order, get_numbers_from_any_source_in_the_order_of_posting) {
    EXPECT_EQ(receives[1].wildcard, 1U);
    EXPECT_EQ(receives[3].wildcard, 2U);
    EXPECT_EQ(receives[0].wildcard, 0U);
}

TEST_F(posted_receives_in_order, are_put_back_where_they_were_and_keep_their_number) {
    for (const int which : {1, 3, 0}) {
        list.remove(receives[which]);
        list.put_back(receives[which]);
        EXPECT_EQ(tags_of(list), (std::vector<std::int32_t>{0, 1, 2, 3}));
        EXPECT_TRUE(list.is_valid());
    }
    EXPECT_EQ(receives[1].wildcard, 1U);
}

TEST_F(posted_receives_in_order, contest_what_an_earlier_one_fits) {
    EXPECT_TRUE(list.is_contested(nullptr, head_of(7, 3, 1)));
    EXPECT_FALSE(list.is_contested(&receives[3], head_of(7, 3, 1)));
    EXPECT_FALSE(list.is_contested(nullptr, head_of(7, 2, 1))); // it is of source 1
}

} // namespace
} // namespace saguaro::mpi
