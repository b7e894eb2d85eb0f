// SPDX-License-Identifier: MIT
// Two groups that meet, and what is made of an intercommunicator.
#include "halves.hpp"

#include <gtest/gtest.h>

#include <set>

namespace saguaro::mpi {
namespace {

bool run_well(std::uint32_t ranks, const std::function<int(int)> &body) {
    return all_well(run_ranks(ranks, body));
}

std::vector<std::uint32_t> members(const group_pointer &of) {
    return of->members;
}

TEST(intercommunicators, have_two_groups_and_one_context) {
    shared_array<context_value> contexts(5);
    EXPECT_TRUE(run_well(5, [&](int me) {
        const halves h = make_halves(2);
        const comm_object &c = *find(h.between);
        const std::vector<std::uint32_t> low{0, 1};
        const std::vector<std::uint32_t> high{2, 3, 4};
        contexts[static_cast<std::size_t>(me)] = c.context;
        int remote = 0;
        core::comm_remote_size(h.between, &remote);
        return members(c.local) == (h.is_low ? low : high) &&
                       members(c.remote) == (h.is_low ? high : low) && remote == (h.is_low ? 3 : 2)
                   ? 0
                   : 1;
    }));
    for (std::size_t r = 1; r < 5; ++r)
        EXPECT_EQ(contexts[r], contexts[0]);
}

TEST(intercommunicators, carry_messages_to_the_other_group) {
    EXPECT_TRUE(run_well(4, [](int me) {
        const halves h = make_halves(2);
        int own = 0;
        core::comm_rank(h.between, &own);
        core::send(&me, 1, datatype::int_, own, 3, h.between);
        int got = -1;
        status s;
        core::recv(&got, 1, datatype::int_, abi::any_source, 3, h.between, &s);
        return got == (me + 2) % 4 && s.source == own ? 0 : 1;
    }));
}

TEST(intercommunicators, merge_in_the_order_that_is_asked_for) {
    for (const bool low_is_high : {false, true})
        EXPECT_TRUE(run_well(5, [&](int) {
            const halves h = make_halves(2);
            comm merged{};
            core::intercomm_merge(h.between, h.is_low == low_is_high ? 1 : 0, &merged);
            const std::vector<std::uint32_t> plain{0, 1, 2, 3, 4};
            const std::vector<std::uint32_t> turned{2, 3, 4, 0, 1};
            return members(find(merged)->local) == (low_is_high ? turned : plain) ? 0 : 1;
        }));
}

TEST(intercommunicators, merge_in_order_of_their_ranks_if_both_ask_for_the_same) {
    for (const int high : {0, 1})
        EXPECT_TRUE(run_well(5, [&](int) {
            const halves h = make_halves(2);
            comm merged{};
            core::intercomm_merge(h.between, high, &merged);
            const std::vector<std::uint32_t> plain{0, 1, 2, 3, 4};
            return members(find(merged)->local) == plain ? 0 : 1;
        }));
}

TEST(intercommunicators, that_disagree_how_to_merge_say_so_everywhere) {
    EXPECT_TRUE(run_well(5, [](int me) {
        const halves h = make_halves(2);
        comm merged{};
        return core::intercomm_merge(h.between, me == 3 ? 1 : 0, &merged) == abi::err_arg ? 0 : 1;
    }));
}

TEST(intercommunicators, are_duplicated_split_and_created_from) {
    EXPECT_TRUE(run_well(6, [](int me) {
        const halves h = make_halves(2);
        comm copy{};
        comm part{};
        comm none{};
        int result = 0;
        core::comm_dup(h.between, &copy);
        core::comm_compare(h.between, copy, &result);
        if (result != abi::congruent)
            return 1;
        // Colors 0 and 1 have ranks in both groups; the keys turn the order.
        core::comm_split(copy, me % 2, -me, &part);
        const comm_object &p = *find(part);
        const auto low = static_cast<std::uint32_t>(me % 2);
        if (members(h.is_low ? p.local : p.remote) != std::vector<std::uint32_t>{low} ||
            members(h.is_low ? p.remote : p.local) != std::vector<std::uint32_t>{low + 4, low + 2})
            return 2;
        // Nobody of the other group has the color.
        core::comm_split(copy, h.is_low ? 0 : 1, 0, &none);
        if (none != comm::null)
            return 3;
        group mine{};
        group some{};
        core::comm_group(copy, &mine);
        const int chosen[] = {1, 0};
        core::group_incl(mine, h.is_low ? 1 : 2, chosen, &some);
        core::comm_create(copy, some, &none);
        const bool is_in = h.is_low ? me == 1 : me <= 3;
        if (!is_in)
            return none == comm::null ? 0 : 4;
        const comm_object &made = *find(none);
        const std::vector<std::uint32_t> highs{3, 2};
        return members(h.is_low ? made.local : made.remote) == std::vector<std::uint32_t>{1} &&
                       members(h.is_low ? made.remote : made.local) == highs
                   ? 0
                   : 5;
    }));
}

TEST(intercommunicators, come_from_groups_that_share_no_communicator) {
    EXPECT_TRUE(run_well(4, [](int me) {
        group all{};
        group mine{};
        group others{};
        core::comm_group(comm::world, &all);
        const int ranks[] = {0, 1, 2, 3};
        core::group_incl(all, 2, ranks + (me < 2 ? 0 : 2), &mine);
        core::group_incl(all, 2, ranks + (me < 2 ? 2 : 0), &others);
        comm made{};
        if (core::intercomm_create_from_groups(mine, 0, others, 0, "here", info::null,
                                               errhandler::errors_return, &made) != 0)
            return 1;
        int number = me;
        int got = -1;
        core::sendrecv(&number, 1, datatype::int_, me % 2, 0, &got, 1, datatype::int_, me % 2, 0,
                       made, nullptr);
        return got == (me + 2) % 4 ? 0 : 2;
    }));
}

TEST(intercommunicators, of_a_wrong_leader_fail_in_its_whole_group) {
    EXPECT_TRUE(run_well(3, [](int me) {
        comm made{};
        const auto create = [&](comm local, int leader, comm peers, int remote, int tag) {
            return core::intercomm_create(local, leader, peers, remote, tag, &made);
        };
        // What only the leader's arguments say.
        if (create(comm::world, 1, me == 1 ? comm::null : comm::world, 0, 0) != abi::err_comm)
            return 1;
        if (create(comm::world, 1, comm::world, me == 1 ? 3 : 0, 0) != abi::err_rank)
            return 2;
        // A group cannot meet itself.
        if (create(comm::world, 1, comm::world, 1, 0) != abi::err_comm)
            return 3;
        return create(comm::world, 3, comm::world, 0, 0) == abi::err_rank &&
                       create(comm::world, 0, comm::world, 0, -1) == abi::err_tag &&
                       create(comm::null, 0, comm::world, 0, 0) == abi::err_comm &&
                       core::intercomm_merge(comm::world, 0, &made) == abi::err_comm
                   ? 0
                   : 4;
    }));
}

// Ranks make communicators in other numbers and with other partners, and meet now and then.
TEST(contexts, of_all_communicators_of_a_rank_differ) {
    EXPECT_TRUE(run_well(4, [](int me) {
        std::set<context_value> seen{0, 2, own_context};
        const auto is_new = [&](comm which) {
            return which == comm::null || seen.insert(find(which)->context).second;
        };
        for (int turn = 0; turn < 20; ++turn) {
            comm pair{};
            comm own{};
            comm all{};
            core::comm_split(comm::world, turn % 3 == 0 ? me / 2 : me % 2, 0, &pair);
            for (int i = 0; i < me; ++i) {
                core::comm_dup(comm::self, &own);
                if (!is_new(own))
                    return 1;
            }
            core::comm_dup(pair, &own);
            core::comm_dup(comm::world, &all);
            if (!is_new(pair) || !is_new(own) || !is_new(all))
                return 2;
            if (turn % 2 == 0)
                core::comm_free(&pair);
        }
        return 0;
    }));
}

} // namespace
} // namespace saguaro::mpi
