// SPDX-License-Identifier: MIT
// Which algorithm a collective takes: the one that SAGUARO_COLLECTIVE names, and no other.
#include "channels/collectives/choice.hpp"

#include "saguaro/collective.h"
#include "support/job.hpp"

#include <functional>
#include <gtest/gtest.h>

namespace saguaro::channels {

namespace {

using test_support::outcome;
using test_support::run_job;

// What a job that has this setting does.
outcome with_choice(const std::string &setting, const std::function<int()> &root) {
    setenv("SAGUARO_COLLECTIVE", setting.c_str(), 1);
    const outcome seen = run_job(root);
    unsetenv("SAGUARO_COLLECTIVE");
    return seen;
}

struct forced {
    const char *setting;
    bool (*is_chosen)();
};

// Whether it is what is taken for few bytes and for many.
template <auto For, auto Algorithm>
bool is_always() {
    return For(5, 8) == Algorithm && For(5, 1 << 24) == Algorithm;
}
template <auto Algorithm>
bool is_always_barrier() {
    return barrier_for(2) == Algorithm && barrier_for(100) == Algorithm;
}

const forced all_forced[] = {
    {"barrier:flat", is_always_barrier<barrier_flat>},
    {"barrier:binomial", is_always_barrier<barrier_binomial>},
    {"barrier:dissemination", is_always_barrier<barrier_dissemination>},
    {"broadcast:flat", is_always<broadcast_for, broadcast_flat>},
    {"broadcast:binomial", is_always<broadcast_for, broadcast_binomial>},
    {"broadcast:chain", is_always<broadcast_for, broadcast_chain>},
    {"broadcast:multicast", is_always<broadcast_for, broadcast_multicast>},
    {"reduce:flat", is_always<reduce_for, reduce_flat>},
    {"reduce:binomial", is_always<reduce_for, reduce_binomial>},
    {"reduce:pairwise", is_always<reduce_for, reduce_pairwise>},
    {"allreduce:flat", is_always<allreduce_for, allreduce_flat>},
    {"allreduce:binomial", is_always<allreduce_for, allreduce_binomial>},
    {"allreduce:doubling", is_always<allreduce_for, allreduce_doubling>},
    {"allreduce:ring", is_always<allreduce_for, allreduce_ring>},
    {"allreduce:multicast", is_always<allreduce_for, allreduce_multicast>},
    {"scan:flat", is_always<scan_for, scan_flat>},
    {"scan:chain", is_always<scan_for, scan_chain>},
    {"scan:doubling", is_always<scan_for, scan_doubling>},
    {"gather:flat", is_always<gather_for, gather_flat>},
    {"gather:binomial", is_always<gather_for, gather_binomial>},
    {"scatter:flat", is_always<scatter_for, scatter_flat>},
    {"scatter:binomial", is_always<scatter_for, scatter_binomial>},
    {"alltoall:flat", is_always<alltoall_for, alltoall_flat>},
    {"alltoall:pairwise", is_always<alltoall_for, alltoall_pairwise>},
    {"alltoall:bruck", is_always<alltoall_for, alltoall_bruck>},
};

TEST(channels_choice, is_the_one_that_is_forced) {
    for (const forced &each : all_forced) {
        const outcome seen = with_choice(each.setting, [&] {
            sg_team_create(1);
            return each.is_chosen() ? 0 : 1;
        });
        EXPECT_TRUE(seen.exited_with(0)) << each.setting << seen.err;
    }
}

TEST(channels_choice, is_the_last_of_several) {
    const outcome seen = with_choice("scan:flat,reduce:flat,scan:chain", [] {
        sg_team_create(1);
        return is_always<scan_for, scan_chain>() && is_always<reduce_for, reduce_flat>() ? 0 : 1;
    });
    EXPECT_TRUE(seen.exited_with(0)) << seen.err;
}

// It depends on the number of members and of bytes, and on nothing else.
TEST(channels_choice, is_the_measured_one_otherwise) {
    const outcome seen = with_choice("auto", [] {
        constexpr std::size_t large = 64 * 1024;
        EXPECT_EQ(barrier_for(8), barrier_dissemination);
        EXPECT_EQ(barrier_for(9), barrier_flat);
        EXPECT_EQ(broadcast_for(2, 8), broadcast_multicast);
        EXPECT_EQ(reduce_for(2, large), reduce_flat);
        EXPECT_EQ(reduce_for(2, large + 1), reduce_binomial);
        EXPECT_EQ(allreduce_for(7, large), allreduce_doubling);
        EXPECT_EQ(allreduce_for(8, large), allreduce_flat);
        EXPECT_EQ(allreduce_for(8, large + 1), allreduce_multicast);
        EXPECT_EQ(scan_for(4, large - 1), scan_chain);
        EXPECT_EQ(scan_for(4, large), scan_flat);
        EXPECT_EQ(scan_for(5, 8), scan_flat);
        EXPECT_EQ(gather_for(2, 8), gather_flat);
        EXPECT_EQ(scatter_for(2, 8), scatter_flat);
        EXPECT_EQ(alltoall_for(2, 8), alltoall_flat);
        return testing::Test::HasFailure() ? 1 : 0;
    });
    EXPECT_TRUE(seen.exited_with(0)) << seen.out << seen.err;
}

std::string line_for(const char *setting) {
    const outcome seen = with_choice(setting, [] {
        sg_team_create(1);
        return 0;
    });
    EXPECT_TRUE(seen.exited_with(seen.err.empty() ? 0 : 2)) << seen.status;
    return seen.err;
}

TEST(channels_choice, is_accepted_in_silence) {
    EXPECT_EQ(line_for(""), "");
    EXPECT_EQ(line_for("auto"), "");
    EXPECT_EQ(line_for("allreduce:ring,barrier:dissemination"), "");
}

TEST(channels_choice, refuses_an_algorithm_that_there_is_not) {
    EXPECT_EQ(line_for("allreduce:ring,barrier:round"),
              "saguaro: spmc: space 0: SAGUARO_COLLECTIVE: barrier:round is not accepted: one of "
              "barrier:flat, barrier:binomial, barrier:dissemination\n");
}

TEST(channels_choice, refuses_an_operation_that_there_is_not) {
    for (const char *const wrong : {"barriers:flat", "barrier", "barrier:flat,", "flat"})
        EXPECT_NE(line_for(wrong).find("' is not accepted: OPERATION:ALGORITHM, and a comma "
                                       "between several; operations are barrier, broadcast, "),
                  std::string::npos)
            << wrong;
}

} // namespace

} // namespace saguaro::channels
