// SPDX-License-Identifier: MIT
// Tests of scopes that are cancelled before, during and after steals.
#include "saguaro/cancellable_scope.hpp"

#include "forkjoin/forcing.hpp"
#include "saguaro/saguaro.hpp"
#include "support/started.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <stdexcept>

namespace {

using saguaro::outcome;
using saguaro::test::force_steal;
using saguaro::test::scripted_workers;
using saguaro::test::started;
using saguaro::test::wait_until;

TEST(cancellable_scope, that_nobody_cancels_is_a_scope) {
    const scripted_workers workers(2);
    saguaro::run([] {
        saguaro::cancellable_scope s;
        int ran = 0;
        for (int i = 0; i < 10; ++i)
            s.spawn([&] { ++ran; });
        EXPECT_EQ(s.sync(), outcome::complete);
        EXPECT_EQ(ran, 10);
        EXPECT_FALSE(s.cancelled());
        EXPECT_FALSE(saguaro::cancelled());
    });
}

TEST(cancellable_scope, leaves_out_what_is_spawned_later) {
    const scripted_workers workers(2);
    saguaro::run([] {
        saguaro::cancellable_scope s;
        int ran = 0;
        for (int i = 0; i < 10; ++i)
            s.spawn([&, i] {
                ++ran;
                if (i == 3)
                    s.cancel();
            });
        EXPECT_EQ(ran, 4);
        EXPECT_EQ(s.sync(), outcome::cancelled);
        // As new.
        EXPECT_FALSE(s.cancelled());
        s.spawn([&] { ++ran; });
        EXPECT_EQ(s.sync(), outcome::complete);
        EXPECT_EQ(ran, 5);
    });
}

// The child runs elsewhere while the parent, which was taken, cancels.
TEST(cancellable_scope, is_seen_by_a_child_that_asks) {
    const scripted_workers workers(2);
    saguaro::run([] {
        saguaro::cancellable_scope s;
        std::atomic<bool> asks{false};
        int seen_value = 0, value = 0;
        s.spawn([&] {
            EXPECT_TRUE(force_steal());
            EXPECT_FALSE(saguaro::cancelled());
            asks = true;
            EXPECT_TRUE(wait_until([] { return saguaro::cancelled(); }));
            seen_value = value;
        });
        wait_until([&] { return asks.load(); });
        value = 17;
        s.cancel();
        EXPECT_EQ(s.sync(), outcome::cancelled);
        EXPECT_EQ(seen_value, 17);
    });
}

// A child that was spawned before sees it at its own next spawn, in scopes and loops of its own.
TEST(cancellable_scope, ends_what_its_descendants_spawn) {
    const scripted_workers workers(2);
    saguaro::run([] {
        saguaro::cancellable_scope s;
        int before = 0, after = 0, called = 0;
        s.spawn([&] {
            saguaro::scope inner;
            inner.spawn([&] { ++before; });
            inner.spawn([&] {
                s.cancel();
                saguaro::scope innermost;
                innermost.spawn([&] { ++after; });
            });
            inner.spawn([&] { ++after; });
            inner.sync();
            saguaro::parallel_for(0, 100, [&](int) { ++after; });
            // Its functions have results that are needed.
            saguaro::parallel_invoke([&] { ++called; }, [&] { ++called; });
        });
        EXPECT_EQ(s.sync(), outcome::cancelled);
        EXPECT_EQ(before, 1);
        EXPECT_EQ(after, 0);
        EXPECT_EQ(called, 2);
    });
}

// A child's spawn of its parent's scope is a call, and is left out as well.
TEST(cancellable_scope, leaves_out_what_a_child_spawns_on_it) {
    const scripted_workers workers(2);
    saguaro::run([] {
        saguaro::cancellable_scope s;
        int ran = 0;
        s.spawn([&] {
            s.spawn([&] { ++ran; });
            s.cancel();
            s.spawn([&] { ++ran; });
        });
        EXPECT_EQ(s.sync(), outcome::cancelled);
        EXPECT_EQ(ran, 1);
    });
}

TEST(cancellable_scope, stops_a_loop_under_way) {
    const scripted_workers workers(1);
    saguaro::run([] {
        saguaro::cancellable_scope s;
        int iterations = 0;
        saguaro::parallel_for(0, 1'000'000, [&](int i) {
            ++iterations;
            if (i == 10)
                s.cancel();
        });
        EXPECT_EQ(iterations, 11);
        EXPECT_EQ(s.sync(), outcome::cancelled);
    });
}

TEST(cancellable_scope, inherits_from_the_scope_around_it) {
    const scripted_workers workers(1);
    saguaro::run([] {
        saguaro::cancellable_scope outer;
        int ran = 0;
        {
            saguaro::cancellable_scope inner;
            inner.cancel();
            EXPECT_FALSE(outer.cancelled());
            EXPECT_TRUE(inner.cancelled());
            inner.spawn([&] { ++ran; });
            EXPECT_EQ(inner.sync(), outcome::cancelled);
            outer.cancel();
            inner.spawn([&] { ++ran; });
            EXPECT_EQ(inner.sync(), outcome::cancelled);
        }
        EXPECT_EQ(ran, 0);
        EXPECT_EQ(outer.sync(), outcome::cancelled);
        outer.spawn([&] { ++ran; });
        EXPECT_EQ(ran, 1);
    });
    saguaro::run([] { EXPECT_FALSE(saguaro::cancelled()); });
}

TEST(cancellable_scope, delivers_an_exception_first) {
    const scripted_workers workers(2);
    saguaro::run([] {
        saguaro::cancellable_scope s;
        s.spawn([&] {
            force_steal();
            s.cancel();
            throw std::runtime_error("child");
        });
        EXPECT_THROW(s.sync(), std::runtime_error);
        EXPECT_EQ(s.sync(), outcome::complete);
    });
}

// The closure is moved in and destroyed although it is not called.
TEST(cancellable_scope, destroys_what_it_does_not_call) {
    const scripted_workers workers(1);
    const saguaro::test::nothing_leaks check;
    saguaro::run([] {
        saguaro::cancellable_scope s;
        s.cancel();
        s.spawn([held = saguaro::test::counted(3)] { ADD_FAILURE() << held.value; });
        EXPECT_EQ(s.sync(), outcome::cancelled);
    });
}

TEST(cancellable_scope, works_outside_the_workers) {
    const started workers(2);
    saguaro::cancellable_scope s;
    std::atomic<int> ran{0};
    s.spawn([&] {
        EXPECT_FALSE(saguaro::cancelled());
        ++ran;
    });
    wait_until([&] { return ran == 1; });
    s.cancel();
    s.spawn([&] { ++ran; });
    EXPECT_EQ(s.sync(), outcome::cancelled);
    EXPECT_EQ(ran, 1);
    s.spawn([&] { ++ran; });
    EXPECT_EQ(s.sync(), outcome::complete);
    EXPECT_EQ(ran, 2);
}

} // namespace
