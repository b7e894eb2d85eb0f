// SPDX-License-Identifier: MIT
// How thieves come to slots, and how they sleep.
#include "engine/simulation.hpp"
#include "engine/slots.hpp"

#include "sim/support.hpp"

#include <gtest/gtest.h>

namespace saguaro::sim {
namespace {

// The root expects thieves, until so many pops have asked in vain: at no time, and for nothing.
void make_private(program_builder &b) {
    for (unsigned pop = 0; pop < slots::patience; ++pop) {
        b.spawn();
        b.child_ends();
    }
}

// A long leaf beside a continuation that somebody could run.
program long_leaf(std::uint64_t ns = 100'000) {
    program_builder b;
    make_private(b);
    b.spawn();
    b.work(ns);
    b.child_ends();
    b.work(ns);
    return b.finish();
}

// The owner spawns and pops often.
program chatty() {
    program_builder b;
    make_private(b);
    b.spawn();
    for (int child = 0; child < 200; ++child) {
        b.spawn();
        b.work(100);
        b.child_ends();
    }
    b.child_ends();
    b.work(20'000);
    return b.finish();
}

setup by(steals how) {
    setup s = with_costs(free_of_costs());
    s.cost.how = how;
    s.cost.look = 50;
    s.cost.fence = 4000;
    s.cost.interrupted = 1000;
    return s;
}

TEST(stealing, public_slots_take_no_fence) {
    const outcome o = simulate(long_leaf(), uniform_machine(2), by(steals::open));
    EXPECT_EQ(o.fences, 0u);
    EXPECT_EQ(o.time, nanoseconds(100'000));
}

TEST(stealing, each_pop_of_a_public_slot_asks) {
    setup s = by(steals::open);
    s.cost.ask = 5;
    const outcome o = simulate(chatty(), uniform_machine(1), s);
    EXPECT_EQ(o.time, nanoseconds(200 * 100 + 20'000 + (201 + slots::patience) * 5));
    s.cost.how = steals::request;
    EXPECT_EQ(simulate(chatty(), uniform_machine(1), s).time, nanoseconds(40'000));
}

// The thief has the fence's time to pay, the victim its interruption.
TEST(stealing, fence_for_each_steal) {
    const outcome o = simulate(long_leaf(), uniform_machine(2), by(steals::fence));
    EXPECT_EQ(o.fences, 1u);
    EXPECT_EQ(o.time, nanoseconds(104'000));
    EXPECT_EQ(o.fencing, nanoseconds(5000));
    setup longer = by(steals::fence);
    longer.cost.interrupted = 5000;
    EXPECT_EQ(simulate(long_leaf(), uniform_machine(2), longer).time, nanoseconds(105'000));
}

// One at a time in the whole system. At the end each worker may have one that has not begun.
TEST(stealing, fences_wait_for_each_other) {
    const program p = make_workload("loop:256,ns=3000,grain=1");
    const outcome o = simulate(p, uniform_machine(16), by(steals::fence));
    EXPECT_GT(o.fences, 20u);
    EXPECT_GE(o.time, static_cast<ps>(o.fences - 16) * nanoseconds(4000));
}

TEST(stealing, owner_that_pops_answers_a_request) {
    const outcome o = simulate(chatty(), uniform_machine(2), by(steals::request));
    EXPECT_EQ(o.requests, 1u);
    EXPECT_EQ(o.fences, 0u);
    EXPECT_EQ(o.all_steals(), 1u);
    // The first pop is at 100 ns; the thief looks at it 50 ns later.
    EXPECT_EQ(o.time, nanoseconds(20'150));
}

// The owner computes on: the request becomes overdue, and a thief pays for a fence.
TEST(stealing, owner_in_a_long_leaf_is_fenced) {
    const outcome o = simulate(long_leaf(), uniform_machine(2), by(steals::request));
    EXPECT_EQ(o.requests, 1u);
    EXPECT_EQ(o.fences, 1u);
    // 4000 ns until it is overdue and 4000 for the fence, and a look or two.
    EXPECT_GE(o.time, nanoseconds(108'000));
    EXPECT_LE(o.time, nanoseconds(108'200));
    // A fence that is under way is not paid for twice.
    EXPECT_EQ(simulate(long_leaf(), uniform_machine(8), by(steals::request)).fences, 1u);
}

// Its own pops ask, because its oldest slots are public.
TEST(stealing, who_has_stolen_expects_thieves) {
    program_builder b;
    make_private(b);
    b.spawn();
    b.work(9000);
    b.child_ends();
    for (int child = 0; child < 4; ++child) {
        b.spawn();
        b.work(100);
        b.child_ends();
    }
    const program p = b.finish();
    setup s = by(steals::request);
    s.cost.ask = 1000;
    // Stolen behind a fence, after 8000 ns; then pops of 1100 ns, some by the victim again.
    EXPECT_GE(simulate(p, uniform_machine(2), s).time, nanoseconds(11'000));
}

TEST(stealing, lock_keeps_the_second_thief_out) {
    // Two continuations in one deque; both thieves come at once.
    program_builder b;
    b.spawn();
    b.spawn();
    b.work(10'000);
    b.child_ends();
    b.work(10'000);
    b.child_ends();
    b.work(10'000);
    const program p = b.finish();
    setup s = by(steals::open);
    s.cost.steal = 1000;
    const outcome o = simulate(p, uniform_machine(3), s);
    EXPECT_EQ(o.all_steals(), 2u);
    // The second one waits half of the first one's steal.
    EXPECT_GE(o.time, nanoseconds(11'500));
    EXPECT_LE(o.time, nanoseconds(11'700));
}

// Work with nothing to steal, then two times as much that can be shared.
program with_a_pause(std::uint64_t pause = 300'000, std::uint64_t ns = 300'000) {
    program_builder b;
    b.work(pause);
    b.spawn();
    b.work(ns);
    b.child_ends();
    b.work(ns);
    return b.finish();
}

TEST(stealing, who_finds_nothing_sleeps_and_is_woken) {
    setup s = by(steals::open);
    s.cost.spin = 100'000;
    s.cost.wake = 20'000;
    s.cost.waking = 1000;
    const outcome o = simulate(with_a_pause(), uniform_machine(2), s);
    EXPECT_EQ(o.wakes, 1u);
    // Asleep from 100 to 300 us; when the thief ends at 620 us the victim sleeps not yet.
    EXPECT_EQ(o.sleeping, nanoseconds(200'000));
    EXPECT_EQ(o.time, nanoseconds(620'000));
    s.cost.spin = 1e6;
    const outcome awake = simulate(with_a_pause(), uniform_machine(2), s);
    EXPECT_EQ(awake.wakes, 0u);
    EXPECT_EQ(awake.sleeping, 0);
    EXPECT_LE(awake.time, nanoseconds(600'100));
}

// Who wakes pays; a thief that has found something wakes the next one.
TEST(stealing, sleepers_wake_each_other) {
    setup s = by(steals::open);
    s.cost.spin = 10'000;
    s.cost.wake = 20'000;
    s.cost.waking = 1000;
    program_builder b;
    b.work(300'000);
    for (int child = 0; child < 8; ++child) {
        b.spawn();
        b.work(1'000'000);
        b.child_ends();
    }
    const program p = b.finish();
    const outcome o = simulate(p, uniform_machine(9), s);
    EXPECT_EQ(o.wakes, 8u);
    EXPECT_EQ(o.all_steals(), 8u);
}

TEST(stealing, looks_are_counted_while_nobody_has_anything) {
    setup s = by(steals::open);
    s.cost.spin = 1e9;
    const outcome o = simulate(with_a_pause(), uniform_machine(2), s);
    EXPECT_NEAR(static_cast<double>(o.failed_looks), 300'000 / 50, 10);
}

// A thief of `nearest` looks at the near worker and at the far one in turn, also while nobody has
// anything. Such a look takes 400 ns here, which is the mean of a near one's 300, a far one's 600
// and one's own. The far worker looks every 500 ns, and later than this thief.
TEST(stealing, looks_while_nobody_has_anything_take_their_turns) {
    if (!is_hwloc_here())
        GTEST_SKIP() << "hwloc is missing";
    const machine on = described_machine("pack:2 numa:1 core:2 pu:1", 3);
    setup s = by(steals::open);
    s.policy = "nearest";
    s.cost.spin = 1e9;
    s.cost.look = 300;
    // The look at 3200 ns is the ninth: at the near worker.
    const outcome o = simulate(with_a_pause(3100, 100'000), on, s);
    EXPECT_EQ(o.time, nanoseconds(103'200));
    EXPECT_EQ(o.steals[0], 1U);
    // That at 2800 ns is the eighth: at the far one, which looks itself at 3000 ns.
    EXPECT_GE(simulate(with_a_pause(2700, 100'000), on, s).time, nanoseconds(103'000));
}

} // namespace
} // namespace saguaro::sim
