// SPDX-License-Identifier: MIT
// Exceptions of a scope's children: which one leaves, and what becomes of the others.
#include "forcing.hpp"

#include "saguaro/saguaro.hpp"

#include <gtest/gtest.h>

#include <atomic>

namespace {

using namespace saguaro::test;
using saguaro::scope;

TEST(scope_exceptions, the_first_in_spawn_order_is_delivered_at_the_sync) {
    scripted_workers workers(2);
    nothing_leaks check;
    saguaro::run([] {
        scope s;
        int ran = 0;
        for (int i = 0; i < 5; ++i)
            s.spawn([&, i] {
                ++ran;
                if (i % 2 == 1)
                    throw thrown(i);
            });
        EXPECT_EQ(ran, 5);
        EXPECT_EQ(who_throws([&] { s.sync(); }), 1);
        s.sync();
    });
}

TEST(scope_exceptions, whichever_finished_first) {
    scripted_workers workers(2);
    nothing_leaks check;
    for (const bool first_is_quicker : {true, false})
        saguaro::run([&] {
            scope s;
            std::atomic<bool> second_threw{false};
            const unsigned spawner = me();
            s.spawn([&] {
                EXPECT_TRUE(force_steal());
                if (!first_is_quicker)
                    wait_until([&] { return second_threw.load(); });
                throw thrown(1);
            });
            if (first_is_quicker)
                wait_until([&] { return is_idle(spawner); });
            s.spawn([&] { throw thrown(2); });
            second_threw = true;
            EXPECT_EQ(who_throws([&] { s.sync(); }), 1);
        });
}

TEST(scope_exceptions, those_of_a_childs_joins_come_through_it) {
    scripted_workers workers(2);
    nothing_leaks check;
    saguaro::run([] {
        scope s;
        s.spawn([] {
            saguaro::parallel_invoke([] { EXPECT_TRUE(force_steal()); },
                                     [] {
                                         scope inner;
                                         inner.spawn([] { throw thrown(4); });
                                         inner.sync();
                                     });
        });
        EXPECT_EQ(who_throws([&] { s.sync(); }), 4);
    });
}

TEST(scope_exceptions, with_scope_delivers_a_childs_before_the_bodys) {
    scripted_workers workers(2);
    nothing_leaks check;
    for (const bool steal : {false, true})
        saguaro::run([&] {
            const auto child = [=] {
                force_steal_if(steal);
                throw thrown(1);
            };
            EXPECT_EQ(who_throws([&] {
                          saguaro::with_scope([&](scope &s) {
                              s.spawn(child);
                              throw thrown(2);
                          });
                      }),
                      1);
            EXPECT_EQ(who_throws([&] { saguaro::with_scope([&](scope &s) { s.spawn(child); }); }),
                      1);
        });
}

TEST(scope_exceptions, with_scope_delivers_the_bodys) {
    scripted_workers workers(2);
    nothing_leaks check;
    saguaro::run([] {
        bool ended = false;
        EXPECT_EQ(who_throws([&] {
                      saguaro::with_scope([&](scope &s) {
                          s.spawn([&] {
                              EXPECT_TRUE(force_steal());
                              ended = true;
                          });
                          throw thrown(2);
                      });
                  }),
                  2);
        EXPECT_TRUE(ended);
        EXPECT_EQ(who_throws([] { saguaro::with_scope([](scope &) {}); }), -1);
    });
}

TEST(scope_exceptions, a_spawn_in_a_handler) {
    scripted_workers workers(2);
    nothing_leaks check;
    saguaro::run([] {
        try {
            throw thrown(5);
        } catch (...) {
            const std::exception_ptr before = std::current_exception();
            scope s;
            s.spawn([] {
                EXPECT_TRUE(force_steal());
                EXPECT_EQ(who_throws([] { throw thrown(6); }), 6);
            });
            EXPECT_EQ(std::current_exception(), before);
            EXPECT_EQ(who_throws([] { throw; }), 5);
            s.sync();
            EXPECT_EQ(who_throws([] { throw; }), 5);
        }
        EXPECT_EQ(std::current_exception(), nullptr);
    });
}

// The parent leaves its handler, and the exception dies, while the child still runs.
TEST(scope_exceptions, a_child_outlives_the_handler_that_spawned_it) {
    scripted_workers workers(2);
    nothing_leaks check;
    saguaro::run([] {
        std::atomic<bool> left{false};
        scope s;
        try {
            throw thrown(5);
        } catch (...) {
            s.spawn([&] {
                EXPECT_TRUE(force_steal());
                wait_until([&] { return left.load(); });
                EXPECT_EQ(std::current_exception(), nullptr);
                EXPECT_EQ(who_throws([] { throw thrown(6); }), 6);
            });
        }
        left = true;
        s.sync();
    });
}

// What the call throws comes before the parent's later children.
TEST(scope_exceptions, of_a_call_into_the_parents_scope) {
    scripted_workers workers(2);
    nothing_leaks check;
    for (const bool steal : {false, true})
        saguaro::run([&] {
            std::atomic<bool> second_threw{false};
            scope s;
            s.spawn([&] {
                if (steal) {
                    EXPECT_TRUE(force_steal());
                    wait_until([&] { return second_threw.load(); });
                }
                s.spawn([] { throw thrown(1); });
            });
            s.spawn([] { throw thrown(2); });
            second_threw = true;
            EXPECT_EQ(who_throws([&] { s.sync(); }), 1);
        });
}

// Both children are strands of their own when they throw, and the later one is quicker.
TEST(scope_exceptions, of_two_children_whose_parents_were_taken) {
    scripted_workers workers(3);
    nothing_leaks check;
    saguaro::run([] {
        scope s;
        std::atomic<int> second{-1};
        s.spawn([&] {
            EXPECT_TRUE(force_steal());
            wait_until([&] { return second.load() >= 0; });
            wait_until([&] { return is_idle(static_cast<unsigned>(second.load())); });
            throw thrown(1);
        });
        s.spawn([&] {
            EXPECT_TRUE(force_steal());
            second = saguaro::worker_id();
            throw thrown(2);
        });
        EXPECT_EQ(who_throws([&] { s.sync(); }), 1);
    });
}

struct breaks_when_moved {
    counted c;
    breaks_when_moved() = default;
    breaks_when_moved(breaks_when_moved &&) : c(1) { throw thrown(7); }
    void operator()() { ADD_FAILURE() << "a closure that could not be moved was called"; }
};

TEST(scope_exceptions, a_closure_whose_move_throws_is_a_child_that_throws) {
    scripted_workers workers(2);
    nothing_leaks check;
    saguaro::run([] {
        scope s;
        bool ran = false;
        s.spawn(breaks_when_moved());
        s.spawn([&] {
            EXPECT_TRUE(force_steal());
            ran = true;
        });
        EXPECT_EQ(who_throws([&] { s.sync(); }), 7);
        EXPECT_TRUE(ran);
        s.sync();
    });
    const auto outside = [] {
        scope s;
        s.spawn(breaks_when_moved());
        s.sync();
    };
    EXPECT_EQ(who_throws(outside), 7);
}

// One that could not be moved is number two, and the first throws later.
TEST(scope_exceptions, of_a_closure_whose_move_throws_behind_a_child) {
    scripted_workers workers(2);
    nothing_leaks check;
    saguaro::run([] {
        scope s;
        std::atomic<bool> second_threw{false};
        s.spawn([&] {
            EXPECT_TRUE(force_steal());
            wait_until([&] { return second_threw.load(); });
            throw thrown(1);
        });
        s.spawn(breaks_when_moved());
        second_threw = true;
        EXPECT_EQ(who_throws([&] { s.sync(); }), 1);
    });
}

} // namespace
