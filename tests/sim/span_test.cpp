// SPDX-License-Identifier: MIT
// Tests of work and critical path.
#include "engine/span.hpp"

#include "sim/support.hpp"

#include <gtest/gtest.h>

namespace saguaro::sim {
namespace {

costs spawns_of(double spawn, double steal) {
    costs c;
    c.spawn = spawn;
    c.steal = steal;
    return c;
}

// 10, then a child of 30 beside 20, then 5.
TEST(spans, child_beside_its_parent) {
    program_builder b;
    b.work(10);
    b.spawn();
    b.work(30);
    b.child_ends();
    b.work(20);
    b.sync();
    b.work(5);
    const program p = b.finish();
    const span s = span_of(p, spawns_of(0, 0));
    EXPECT_EQ(s.work, nanoseconds(65));
    EXPECT_EQ(s.path, nanoseconds(45));
    EXPECT_EQ(s.burdened, nanoseconds(45));
    // A stolen continuation is late by the steal: 10 + 15 + 20 + 5 against 10 + 30 + 5.
    EXPECT_EQ(span_of(p, spawns_of(0, 15)).burdened, nanoseconds(50));
    EXPECT_EQ(span_of(p, spawns_of(0, 15)).path, nanoseconds(45));
    EXPECT_EQ(span_of(p, spawns_of(1, 0)).work, nanoseconds(66));
    EXPECT_EQ(span_of(p, spawns_of(1, 0)).path, nanoseconds(46));
}

// A sync waits for the children of its own frame only; a call's end waits for the callee's.
TEST(spans, calls_have_syncs_of_their_own) {
    program_builder b;
    b.spawn();
    b.work(100);
    b.child_ends();
    b.call();
    b.spawn();
    b.work(10);
    b.child_ends();
    b.sync(); // not for the 100
    b.work(7);
    b.spawn();
    b.work(20);
    b.child_ends();
    b.leave(); // for the 20
    b.work(1);
    EXPECT_EQ(span_of(b.finish(), spawns_of(0, 0)).path, nanoseconds(100));
    b.call();
    b.spawn();
    b.work(20);
    b.child_ends();
    b.leave();
    b.work(1);
    EXPECT_EQ(span_of(b.finish(), spawns_of(0, 0)).path, nanoseconds(21));
}

TEST(spans, child_ends_when_its_children_have_ended) {
    program_builder b;
    b.spawn();
    b.spawn();
    b.work(50);
    b.child_ends();
    b.child_ends();
    b.sync();
    b.work(1);
    EXPECT_EQ(span_of(b.finish(), spawns_of(0, 0)).path, nanoseconds(51));
}

// Every call of fib(n) takes ns nanoseconds; the longest chain has n of them.
TEST(spans, fib) {
    const span s = span_of(make_workload("fib:10,ns=3"), spawns_of(0, 0));
    EXPECT_EQ(s.work, nanoseconds(3 * 177));
    EXPECT_EQ(s.path, nanoseconds(3 * 10));
}

} // namespace
} // namespace saguaro::sim
