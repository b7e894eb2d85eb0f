// SPDX-License-Identifier: MIT
// Spawn and sync.
#include "saguaro/vcilk.h"
#include "vms/bare.hpp"
#include "vms/threads_in_c.h"

#include <gtest/gtest.h>

#include <mutex>
#include <thread>
#include <vector>

namespace saguaro::vms {
namespace {

void spawn(const vp_code &code, sg_vp *me) {
    sg_vcilk_spawn(run_code, const_cast<vp_code *>(&code), me);
}

class vcilk_on : public testing::TestWithParam<unsigned> {
protected:
    int run(const vp_code &code) const {
        const sg_vms_options options = with_cores(GetParam());
        return sg_vcilk_run(&options, run_code, const_cast<vp_code *>(&code));
    }
};

INSTANTIATE_TEST_SUITE_P(cores, vcilk_on, testing::Values(1U, 2U, 4U));

TEST_P(vcilk_on, fib_in_c) {
    EXPECT_EQ(2584, spawned_fib(GetParam(), 18));
}

TEST_P(vcilk_on, sync_waits_for_all_and_sees_what_they_wrote) {
    int written[50] = {}; // not atomic: ThreadSanitizer looks at them as well
    std::vector<vp_code> codes;
    for (int &each : written)
        codes.emplace_back([&](sg_vp *) { ++each; });
    EXPECT_EQ(0, run([&](sg_vp *me) {
                  for (int round = 1; round <= 5; ++round) {
                      for (const vp_code &code : codes)
                          spawn(code, me);
                      sg_vcilk_sync(me);
                      for (const int each : written)
                          EXPECT_EQ(round, each);
                  }
                  sg_vcilk_sync(me); // with nobody
              }));
}

// How many VPs have not ended: the Master has heard of the ends of the others.
std::size_t vps_left(sg_vp *me) {
    instance &in = instance_of_vp(me);
    const std::lock_guard guard(in.lock);
    return in.live;
}

// The first sync waits; the child of the second one has ended when its parent still runs.
TEST(vcilk, child_that_ends_before_the_sync) {
    const sg_vms_options options = with_cores(2);
    const vp_code child = [](sg_vp *) {};
    const vp_code first = [&](sg_vp *me) {
        for (int round = 0; round < 3; ++round) {
            spawn(child, me);
            sg_vcilk_sync(me);
            spawn(child, me);
            while (vps_left(me) > 1)
                std::this_thread::yield();
            sg_vcilk_sync(me);
        }
    };
    EXPECT_EQ(0, sg_vcilk_run(&options, run_code, const_cast<vp_code *>(&first)));
}

// Leaves a binary tree of spawns without a sync of its own.
void count_leaves(int depth, int *leaves, sg_vp *me) {
    if (depth == 0) {
        *leaves = 1;
        return;
    }
    int half[2] = {0, 0};
    const vp_code left = [&](sg_vp *self) { count_leaves(depth - 1, &half[0], self); };
    const vp_code right = [&](sg_vp *self) { count_leaves(depth - 1, &half[1], self); };
    spawn(left, me);
    spawn(right, me);
    sg_vcilk_sync(me);
    *leaves = half[0] + half[1];
}

TEST_P(vcilk_on, children_spawn) {
    int leaves = 0;
    EXPECT_EQ(0, run([&](sg_vp *me) { count_leaves(8, &leaves, me); }));
    EXPECT_EQ(256, leaves);
}

TEST_P(vcilk_on, functions_sync_when_they_return) {
    bool has_ended = false; // not atomic
    const vp_code leaf = [&](sg_vp *me) {
        for (int i = 0; i < 3; ++i) {
            const vp_code nothing = [](sg_vp *) {};
            spawn(nothing, me);
            sg_vcilk_sync(me);
        }
        has_ended = true;
    };
    const vp_code only_spawns = [&](sg_vp *me) { spawn(leaf, me); };
    EXPECT_EQ(0, run([&](sg_vp *me) {
                  spawn(only_spawns, me);
                  sg_vcilk_sync(me);
                  EXPECT_TRUE(has_ended);
                  has_ended = false;
                  spawn(only_spawns, me);
              }));
    EXPECT_TRUE(has_ended);
}

// Its children look it up when they return.
TEST(vcilk, first_function_syncs_when_it_returns) {
    const sg_vms_options options = with_cores(1);
    sg_vp *first = nullptr;
    const vp_code child = [&](sg_vp *) { EXPECT_TRUE(sg_vms_is_live(first)); };
    const vp_code only_spawns = [&](sg_vp *me) {
        first = me;
        spawn(child, me);
    };
    EXPECT_EQ(0, sg_vcilk_run(&options, run_code, const_cast<vp_code *>(&only_spawns)));
    EXPECT_NE(nullptr, first);
}

// Depth first: what the plug-in promises of stacks.
TEST(vcilk, one_core_needs_a_stack_for_each_level) {
    const sg_vms_options options = with_cores(1);
    int leaves = 0;
    std::size_t stacks = 0;
    const vp_code all = [&](sg_vp *me) {
        count_leaves(10, &leaves, me);
        stacks = instance_of_vp(me).stack_pool.most_out();
    };
    EXPECT_EQ(0, sg_vcilk_run(&options, run_code, const_cast<vp_code *>(&all)));
    EXPECT_EQ(1024, leaves);
    EXPECT_LE(stacks, 10U + 3);
}

} // namespace
} // namespace saguaro::vms
