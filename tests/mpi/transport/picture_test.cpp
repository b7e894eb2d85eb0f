// SPDX-License-Identifier: MIT
// Tests of the bounds and deadlocks that follow from other hosts' reports.
#include "mpi/transport/picture.hpp"

#include <gtest/gtest.h>

namespace saguaro::mpi::transport {
namespace {

// Ranks 0 and 1 on host 0, 2 and 3 on host 1, 4 on host 2.
class pictures : public testing::Test {
protected:
    shares among{{2, 2, 1}, 0};
    picture seen{among};
    wait_graph graph{64};

    void runs(std::uint32_t rank, clock_value bound) { seen.ranks[rank].bound = bound; }

    void waits(std::uint32_t rank, std::vector<std::uint32_t> for_whom, clock_value least = 0,
               clock_value candidate = forever) {
        rank_state &s = seen.ranks[rank];
        s.is_blocked = 1;
        s.hop = hop_of_message;
        s.least = least;
        s.candidate = candidate;
        s.waits_for.assign(1, 0);
        for (const std::uint32_t each : for_whom)
            s.waits_for[0] |= std::uint64_t{1} << each;
    }

    clock_bounds derived() {
        clock_bounds out(64);
        seen.derive(among, graph, out);
        out.resize(5);
        return out;
    }
};

TEST_F(pictures, rank_that_runs_is_bounded_by_what_it_has_published) {
    for (std::uint32_t r = 0; r < 5; ++r)
        runs(r, 10 + r);
    EXPECT_EQ(derived(), (clock_bounds{10, 11, 12, 13, 14}));
}

TEST_F(pictures, bounds_pass_through_blocked_ranks_of_several_hosts) {
    runs(0, 100);
    waits(1, {3}, 5);
    waits(2, {0}, 7);
    waits(3, {2}, 7);
    waits(4, {1, 2}, 300);
    EXPECT_EQ(derived(), (clock_bounds{100, 106, 102, 104, 300}));
}

TEST_F(pictures, candidate_of_one_host_bounds_who_waits_for_it_on_another) {
    waits(0, {2}, 20, 50);
    waits(2, {0}, 3);
    for (const std::uint32_t r : {1U, 3U, 4U})
        runs(r, 1000);
    EXPECT_EQ(derived()[0], 51U);
    EXPECT_EQ(derived()[2], 53U);
}

TEST_F(pictures, ranks_that_all_wait_for_each_other_are_stuck) {
    waits(0, {2});
    waits(2, {4});
    waits(4, {0});
    runs(1, forever);
    runs(3, forever);
    for (const clock_value bound : derived())
        EXPECT_GE(bound, forever);
}

TEST_F(pictures, blocked_rank_is_not_believed_while_a_record_of_those_it_waits_for_is_on_its_way) {
    runs(0, 100);
    runs(2, 8);
    seen.ranks[2].bound = 8;
    waits(2, {0}, 7);
    seen.hosts[0].sent[1] = 3;
    seen.hosts[1].received[0] = 2;
    EXPECT_EQ(derived()[2], 8U);
    seen.hosts[1].received[0] = 3;
    EXPECT_EQ(derived()[2], 102U);
    // More may have come than the other host had sent when it was seen.
    seen.hosts[1].received[0] = 4;
    EXPECT_EQ(derived()[2], 102U);
}

TEST_F(pictures, records_between_other_hosts_do_not_matter) {
    runs(0, 100);
    waits(2, {0});
    seen.hosts[2].sent[1] = 3;
    seen.hosts[1].sent[0] = 5;
    seen.hosts[0].sent[2] = 9;
    EXPECT_EQ(derived()[2], 102U);
}

TEST_F(pictures, sender_is_not_believed_before_the_receiver_tells_that_it_awaits_a_post) {
    runs(0, 100);
    runs(2, 8);
    seen.ranks[2].bound = 8;
    waits(2, {0});
    seen.ranks[2].sends = {{0, 5}};
    EXPECT_EQ(derived()[2], 8U);
    seen.ranks[0].tells = {{3, 9, 0}, {2, 4, 0}};
    EXPECT_EQ(derived()[2], 8U);
    seen.ranks[0].tells = {{2, 5, 0}};
    EXPECT_EQ(derived()[2], 102U);
    // A receiver that has finalized matches nothing.
    seen.ranks[0].tells = {};
    seen.ranks[0].bound = forever;
    EXPECT_GE(derived()[2], forever);
}

TEST_F(pictures, sender_goes_on_at_an_untold_match_whatever_the_receiver_waits_for) {
    runs(2, 8);
    runs(3, 2000);
    waits(2, {0}, 9);
    waits(0, {2, 3}, 5);
    seen.ranks[2].sends = {{0, 5}};
    seen.ranks[0].tells = {{3, 5, 30}, {2, 5, 70}};
    EXPECT_EQ(derived()[2], 70 + latency);
    EXPECT_EQ(derived()[0], 70 + latency + hop_of_message);
    // Another sender's is no matter of this one's, and its own candidate may come first.
    seen.ranks[0].tells = {{3, 5, 30}, {2, 5, 0}};
    EXPECT_EQ(derived()[2], 2000U + 2 * hop_of_message);
    seen.ranks[0].tells = {{2, 5, 70}};
    seen.ranks[2].candidate = 20;
    EXPECT_EQ(derived()[2], 20 + latency);
    // While a receive may take it, an earlier match that is not told does not count.
    seen.ranks[0].tells = {{2, 4, 70}};
    EXPECT_EQ(derived()[2], 8U);
}

TEST(rank_states, are_packed_whole) {
    rank_state s;
    s.bound = 1;
    s.least = 2;
    s.candidate = 3;
    s.hop = 4;
    s.is_blocked = 1;
    s.life = life::inside;
    s.waits_for = {6, 7};
    s.sends = {{8, 9}};
    s.tells = {{10, 11, 12}, {13, 14, 15}};
    byte_row bytes;
    packer to(bytes);
    s.pack(to);
    unpacker from(bytes.data(), bytes.size());
    EXPECT_EQ(rank_state::unpack(from), s);
    EXPECT_EQ(from.left(), 0U);
    EXPECT_TRUE(from.is_whole());
    unpacker less(bytes.data(), bytes.size() - 1);
    rank_state::unpack(less);
    EXPECT_FALSE(less.is_whole());
}

TEST(rank_shares, differ_by_one_at_most) {
    EXPECT_EQ(shares::even(7, 3), (std::vector<std::uint32_t>{3, 2, 2}));
    const shares s(shares::even(7, 3), 1);
    EXPECT_EQ(s.hosts(), 3U);
    EXPECT_EQ(s.ranks(), 7U);
    EXPECT_EQ(s.host_of(2), 0U);
    EXPECT_EQ(s.host_of(3), 1U);
    EXPECT_EQ(s.host_of(6), 2U);
    EXPECT_FALSE(s.is_here(2));
    EXPECT_TRUE(s.is_here(3));
    EXPECT_FALSE(s.is_here(5));
}

} // namespace
} // namespace saguaro::mpi::transport
