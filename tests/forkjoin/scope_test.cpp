// SPDX-License-Identifier: MIT
// Tests of scope: children, syncs, parents that are taken, exceptions.
#include "forcing.hpp"

#include "saguaro/saguaro.hpp"

#include <gtest/gtest.h>

#include <array>
#include <list>
#include <memory>
#include <numeric>
#include <thread>
#include <vector>

namespace {

using namespace saguaro::test;
using saguaro::scope;

constexpr std::chrono::milliseconds briefly{1};

// --- Children and the sync ---

TEST(scope, unstolen_children_run_at_once_in_order_on_the_caller) {
    scripted_workers workers(2);
    std::vector<int> order;
    saguaro::run([&] {
        const int caller = saguaro::worker_id();
        scope s;
        for (int i = 0; i < 3; ++i) {
            s.spawn([&, i] {
                EXPECT_EQ(saguaro::worker_id(), caller);
                order.push_back(2 * i);
            });
            EXPECT_EQ(saguaro::worker_id(), caller);
            order.push_back(2 * i + 1);
        }
        s.sync();
    });
    EXPECT_EQ(order, (std::vector{0, 1, 2, 3, 4, 5}));
    EXPECT_EQ(saguaro::stats().steals, 0u);
    EXPECT_EQ(saguaro::stats().parks, 0u);
}

TEST(scope, a_thief_goes_on_behind_the_spawn_while_the_child_runs) {
    scripted_workers workers(2);
    saguaro::run([] {
        const unsigned spawner = me();
        std::atomic<bool> continued{false};
        unsigned child_ended_on = 9;
        scope s;
        s.spawn([&] {
            EXPECT_TRUE(force_steal());
            wait_until([&] { return continued.load(); });
            child_ended_on = me();
        });
        EXPECT_EQ(me(), 1 - spawner);
        continued = true;
        s.sync();
        EXPECT_EQ(child_ended_on, spawner);
    });
    EXPECT_EQ(saguaro::stats().steals, 1u);
}

// A thread that has entered asks a victim whose work it has. Two threads, so the roots differ.
TEST(scope, a_thief_serves_the_root_that_it_has_robbed) {
    scripted_workers workers(2);
    const auto steal_once = [] {
        saguaro::run([] {
            const saguaro::scheduler::root *const mine = worker_number(me()).serves.load();
            std::atomic<bool> done{false};
            scope s;
            s.spawn([&] {
                EXPECT_TRUE(force_steal());
                wait_until([&] { return done.load(); });
            });
            EXPECT_EQ(worker_number(me()).serves.load(), mine);
            done = true;
            s.sync();
        });
    };
    steal_once();
    std::thread(steal_once).join();
}

TEST(scope, the_sync_parks_until_the_child_has_ended) {
    scripted_workers workers(2);
    saguaro::run([] {
        const unsigned spawner = me();
        const std::uint64_t parks = parks_of(1 - spawner);
        bool ended = false;
        scope s;
        s.spawn([&] {
            EXPECT_TRUE(force_steal());
            wait_for_the_owner_to_park(parks);
            ended = true;
        });
        s.sync();
        EXPECT_TRUE(ended);
        // Who came last goes on.
        EXPECT_EQ(me(), spawner);
    });
    EXPECT_EQ(saguaro::stats().parks, 1u);
}

TEST(scope, the_sync_goes_on_if_the_child_has_ended) {
    scripted_workers workers(2);
    saguaro::run([] {
        const unsigned spawner = me();
        bool ended = false;
        scope s;
        s.spawn([&] {
            EXPECT_TRUE(force_steal());
            ended = true;
        });
        wait_until([&] { return is_idle(spawner); });
        s.sync();
        EXPECT_TRUE(ended);
        EXPECT_EQ(me(), 1 - spawner);
    });
    EXPECT_EQ(saguaro::stats().parks, 0u);
}

TEST(scope, the_destructor_syncs) {
    scripted_workers workers(2);
    saguaro::run([] {
        const std::uint64_t parks = parks_of(other());
        bool ended = false;
        {
            scope s;
            s.spawn([&] {
                EXPECT_TRUE(force_steal());
                wait_for_the_owner_to_park(parks);
                ended = true;
            });
        }
        EXPECT_TRUE(ended);
    });
}

TEST(scope, the_destructor_syncs_when_an_exception_leaves) {
    scripted_workers workers(2);
    nothing_leaks check;
    saguaro::run([] {
        const std::uint64_t parks = parks_of(other());
        bool ended = false;
        EXPECT_EQ(who_throws([&] {
                      scope s;
                      s.spawn([&] {
                          EXPECT_TRUE(force_steal());
                          wait_for_the_owner_to_park(parks);
                          ended = true;
                          throw thrown(1); // dropped: no sync delivers it
                      });
                      throw thrown(2);
                  }),
                  2);
        EXPECT_TRUE(ended);
    });
}

TEST(scope, again_after_a_sync) {
    scripted_workers workers(2);
    saguaro::run([] {
        scope s;
        std::atomic<int> sum{0};
        for (int round = 1; round <= 20; ++round) {
            for (int i = 0; i < 3; ++i)
                s.spawn([&, i] {
                    force_steal_if(i == round % 4);
                    ++sum;
                });
            s.sync();
            EXPECT_EQ(sum, 3 * round);
            s.sync();
        }
    });
}

// The continuation is stolen at each set of spawns in turn.
TEST(scope, steals_at_chosen_spawns) {
    constexpr int spawns = 6;
    scripted_workers workers(2);
    for (unsigned chosen = 0; chosen < 1u << spawns; ++chosen) {
        saguaro::reducer<saguaro::list_append<int>> order;
        saguaro::run([&] {
            scope s;
            for (int i = 0; i < spawns; ++i) {
                const unsigned spawner = me();
                // The other worker must be free to steal.
                wait_until([&] { return is_idle(1 - spawner); });
                s.spawn([&, i] {
                    order->push_back(2 * i);
                    force_steal_if((chosen >> i & 1) != 0);
                });
                EXPECT_EQ(me() != spawner, (chosen >> i & 1) != 0);
                order->push_back(2 * i + 1);
            }
            s.sync();
            std::list<int> serial(2 * spawns);
            std::iota(serial.begin(), serial.end(), 0);
            EXPECT_EQ(order.get(), serial) << "steals " << chosen;
        });
    }
}

// Two scopes of one flow have children out at once, and are synced in either order.
TEST(scope, two_that_overlap) {
    constexpr int spawns = 4;
    scripted_workers workers(2);
    nothing_leaks check;
    for (unsigned chosen = 0; chosen < 2u << spawns; ++chosen) {
        saguaro::reducer<saguaro::list_append<int>> order;
        saguaro::run([&] {
            scope scopes[2];
            std::atomic<int> ended[2] = {0, 0};
            for (int i = 0; i < spawns; ++i) {
                const unsigned spawner = me();
                wait_until([&] { return is_idle(1 - spawner); });
                scopes[i % 2].spawn([&, i] {
                    order->push_back(2 * i);
                    force_steal_if((chosen >> i & 1) != 0);
                    ++ended[i % 2];
                    if (i >= 2)
                        throw thrown(i);
                });
                order->push_back(2 * i + 1);
            }
            const int first = static_cast<int>(chosen >> spawns);
            int entry = 2 * spawns;
            for (const int which : {first, 1 - first}) {
                EXPECT_EQ(who_throws([&] { scopes[which].sync(); }), which + 2);
                EXPECT_EQ(ended[which], 2);
                order->push_back(entry++);
            }
            std::list<int> serial(2 * spawns + 2);
            std::iota(serial.begin(), serial.end(), 0);
            EXPECT_EQ(order.get(), serial) << "steals " << chosen;
        });
    }
}

TEST(scope, many_spawns) {
    constexpr int spawns = 100'000;
    scripted_workers workers(2);
    std::vector<int> ran(spawns);
    saguaro::run([&] {
        scope s;
        for (int i = 0; i < spawns; ++i)
            s.spawn([&, i] {
                ++ran[static_cast<std::size_t>(i)];
                force_steal_if(i % 1000 == 500);
            });
        s.sync();
    });
    EXPECT_EQ(ran, std::vector<int>(spawns, 1));
    EXPECT_EQ(saguaro::stats().steals, 100u);
    EXPECT_LT(saguaro::stats().stacks, 100u) << "children's stacks are used again";
}

// The sum of 1 to n, a child at each level.
template <class AtTheBottom>
long nested_sum(long n, const AtTheBottom &at_the_bottom) {
    if (n == 0) {
        at_the_bottom();
        return 0;
    }
    long rest = 0;
    scope s;
    s.spawn([&] { rest = nested_sum(n - 1, at_the_bottom); });
    s.sync();
    return rest + n;
}

TEST(scope, nested_a_thousand_deep) {
    scripted_workers workers(2);
    const auto steal = [] {
        for (int i = 0; i < 50; ++i)
            EXPECT_TRUE(force_steal());
    };
    EXPECT_EQ(saguaro::run([] { return nested_sum(1000, [] {}); }), 500'500);
    EXPECT_EQ(saguaro::run([&] { return nested_sum(1000, steal); }), 500'500);
    EXPECT_EQ(saguaro::stats().steals, 50u);
}

// --- Closures ---

TEST(scope, closures_that_only_move) {
    scripted_workers workers(2);
    nothing_leaks check;
    saguaro::run([] {
        for (const bool steal : {false, true}) {
            int seen = 0;
            scope s;
            s.spawn([&, owned = std::make_unique<counted>(6)] {
                force_steal_if(steal);
                seen = owned->value;
            });
            s.sync();
            EXPECT_EQ(seen, 6);
        }
    });
}

// The child has a closure of its own: the spawner's may be gone when it runs.
TEST(scope, the_closure_outlives_the_statement_that_spawns) {
    scripted_workers workers(2);
    nothing_leaks check;
    saguaro::run([] {
        int seen = 0;
        scope s;
        std::atomic<bool> gone{false};
        {
            const counted local(4);
            const auto closure = [&, local] {
                EXPECT_TRUE(force_steal());
                wait_until([&] { return gone.load(); });
                seen = local.value;
            };
            s.spawn(closure);
        }
        EXPECT_EQ(counted::alive(), 1) << "the child's copy";
        gone = true;
        s.sync();
        EXPECT_EQ(seen, 4);
    });
}

// --- Where a spawn is a call ---

TEST(scope, a_spawn_into_the_parents_scope_is_a_call) {
    scripted_workers workers(2);
    saguaro::run([] {
        for (const bool steal : {false, true}) {
            std::vector<int> order;
            scope s;
            s.spawn([&] {
                force_steal_if(steal);
                s.spawn([&] {
                    if (steal)
                        EXPECT_FALSE(force_steal()) << "the child has nothing to steal";
                    order.push_back(1);
                });
                order.push_back(2);
            });
            s.sync();
            EXPECT_EQ(order, (std::vector{1, 2}));
        }
    });
}

// Parent and child spawn into one scope at the same time.
TEST(scope, calls_and_spawns_into_one_scope_at_once) {
    scripted_workers workers(2);
    saguaro::run([] {
        int by_child = 0, by_parent = 0;
        scope s;
        s.spawn([&] {
            EXPECT_TRUE(force_steal());
            for (int i = 0; i < 100; ++i)
                s.spawn([&] { ++by_child; });
        });
        for (int i = 0; i < 100; ++i)
            s.spawn([&] { ++by_parent; });
        s.sync();
        EXPECT_EQ(by_child, 100);
        EXPECT_EQ(by_parent, 100);
    });
}

TEST(scope, without_stacks_spawns_are_calls) {
    for (const unsigned count : {1u, 2u}) {
        scripted_workers workers(count);
        saguaro::stacks::pool &pool = saguaro::scheduler::running()->stacks();
        // The workers have one each, for what they find; on one runs the root.
        const std::size_t few = count + 3;
        pool.limit(few);
        // Where the stacks at hand are on another worker, there is nothing to steal.
        const auto steal = [] { force_steal(briefly); };
        for (int round = 0; round < 10; ++round)
            EXPECT_EQ(saguaro::run([&] { return nested_sum(300, steal); }), 300 * 301 / 2);
        EXPECT_LE(pool.most_out(), few);
        // Stacks that are given back serve again, and new ones as well.
        pool.limit(1000);
        EXPECT_EQ(saguaro::run([&] { return nested_sum(300, steal); }), 300 * 301 / 2);
        EXPECT_GT(pool.most_out(), 200u);
    }
}

// --- What lies under the spawn ---

// The oldest goes first: what the parent's stack held before the spawn, the parent, the child's
// own.
TEST(scope, a_steal_takes_the_older_frames_of_the_parents_stack_first) {
    scripted_workers workers(4);
    saguaro::run([] {
        std::atomic<int> clock{0};
        std::atomic<int> outer{0}, middle{0}, inner{0};
        saguaro::parallel_invoke(
            [&] {
                scope s;
                s.spawn([&] {
                    saguaro::parallel_invoke(
                        [&] {
                            for (int i = 1; i <= 3; ++i) {
                                EXPECT_TRUE(force_steal());
                                wait_until([&] { return clock == i; });
                            }
                            EXPECT_FALSE(force_steal());
                        },
                        [&] { inner = ++clock; });
                });
                middle = ++clock;
                s.sync();
            },
            [&] { outer = ++clock; });
        EXPECT_EQ(outer, 1);
        EXPECT_EQ(middle, 2);
        EXPECT_EQ(inner, 3);
    });
}

TEST(scope, a_steal_takes_the_parents_range_before_the_parent) {
    scripted_workers workers(2);
    saguaro::run([] {
        std::array<std::atomic<int>, 8> ran{};
        std::atomic<bool> continued{false};
        saguaro::parallel_for(0, 8, [&](int i) {
            if (i == 0) {
                scope s;
                s.spawn([&] {
                    // The range is cut at 4, at 2 and at 1; then the loop's body is taken.
                    for (int cut : {4, 2, 1}) {
                        EXPECT_TRUE(force_steal());
                        wait_until([&] { return ran[static_cast<std::size_t>(cut)] == 1; });
                        wait_for_the_thief();
                        EXPECT_FALSE(continued);
                    }
                    EXPECT_TRUE(force_steal());
                    wait_until([&] { return continued.load(); });
                });
                continued = true;
                s.sync();
            }
            ++ran[static_cast<std::size_t>(i)];
        });
        for (const std::atomic<int> &times : ran)
            EXPECT_EQ(times, 1);
    });
    EXPECT_EQ(saguaro::stats().steals, 4u);
}

TEST(scope, within_a_loop_within_a_scope) {
    constexpr int children = 6, iterations = 12, grandchildren = 3;
    scripted_workers workers(3);
    for (int round = 0; round < 20; ++round) {
        saguaro::reducer<saguaro::vector_append<int>> order;
        saguaro::run([&] {
            scope outer;
            for (int c = 0; c < children; ++c)
                outer.spawn([&, c] {
                    saguaro::parallel_for(0, iterations, [&](int i) {
                        scope inner;
                        for (int g = 0; g < grandchildren; ++g)
                            inner.spawn([&, i, g] {
                                const int number = (c * iterations + i) * grandchildren + g;
                                order->push_back(number);
                                if (number % 7 == round % 7)
                                    force_steal(briefly);
                            });
                        inner.sync();
                    });
                });
            outer.sync();
        });
        std::vector<int> serial(children * iterations * grandchildren);
        std::iota(serial.begin(), serial.end(), 0);
        EXPECT_EQ(order.get(), serial);
    }
}

} // namespace
