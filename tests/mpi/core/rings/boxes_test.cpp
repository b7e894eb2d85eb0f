// SPDX-License-Identifier: MIT
// Tests of a rank's ends of all rings: messages that lie in rings and in blocks.
#include "mpi/core/rings/inbox.hpp"
#include "mpi/core/rings/outbox.hpp"

#include "mpi/core/messages/message_data.hpp"
#include "mpi/core/rings/buffers.hpp"
#include "spmc/job.hpp"

#include <cstring>
#include <gtest/gtest.h>
#include <vector>

namespace saguaro::mpi {
namespace {

// Ranks 0 and 2 send to rank 1.
class boxes : public testing::Test {
protected:
    void send(outbox &from, std::uint32_t source, std::vector<char> &data, clock_value stamp) {
        from.send({stamp, source, 8, 5, 0, data.size()}, 1, all_of(data));
    }

    world all{spmc::job::mine(), world::make(spmc::job::mine(), 3)};
    outbox out_of_0{all, 0};
    outbox out_of_2{all, 2};
    inbox in{all, 1};
};

TEST_F(boxes, hold_nothing_at_first) {
    EXPECT_TRUE(in.is_read(0));
    EXPECT_EQ(in.next(0), nullptr);
}

TEST_F(boxes, keep_messages_of_each_sender_in_their_order) {
    std::vector<char> first = message_data(40, 1);
    std::vector<char> second = message_data(3, 2);
    std::vector<char> other = message_data(0, 3);
    send(out_of_0, 0, first, 7);
    send(out_of_2, 2, other, 1);
    send(out_of_0, 0, second, 9);
    EXPECT_FALSE(in.is_read(0));
    for (const std::vector<char> *const expected : {&first, &second}) {
        const record *const r = in.next(0);
        ASSERT_NE(r, nullptr);
        EXPECT_EQ(r->stamp.load(), expected == &first ? 7U : 9U);
        EXPECT_EQ(r->what, kind::here);
        ASSERT_EQ(r->bytes(), expected->size());
        EXPECT_EQ(std::memcmp(r->data(), expected->data(), expected->size()), 0);
        in.done(0, *r);
    }
    EXPECT_EQ(in.next(0), nullptr);
    EXPECT_TRUE(in.is_read(0));
    ASSERT_NE(in.next(2), nullptr);
    EXPECT_EQ(in.next(2)->bytes(), 0U);
}

TEST_F(boxes, carry_more_than_a_ring_has_room_for) {
    std::vector<char> data = message_data(1000, 4);
    for (clock_value stamp = 1; stamp <= 5000; ++stamp) {
        send(out_of_0, 0, data, stamp);
        if (stamp % 3 == 0)
            continue;
        const record *const r = in.next(0);
        ASSERT_NE(r, nullptr);
        ASSERT_EQ(std::memcmp(r->data(), data.data(), data.size()), 0);
        in.done(0, *r);
    }
}

TEST_F(boxes, name_a_block_that_has_a_long_message) {
    std::vector<char> data = message_data(most_in_ring + 1, 5);
    send(out_of_0, 0, data, 7);
    const record *const r = in.next(0);
    ASSERT_NE(r, nullptr);
    ASSERT_EQ(r->what, kind::block);
    place where;
    std::memcpy(&where, r->data(), sizeof(where));
    block &shared = *all.job().at<block>(where);
    EXPECT_EQ(std::memcmp(shared.data(), data.data(), data.size()), 0);
    EXPECT_EQ(shared.readers.load(), 1U);
    all.give_block(shared);
    in.done(0, *r);
}

} // namespace
} // namespace saguaro::mpi
