// SPDX-License-Identifier: MIT
// The spawn itself: registers, the stacks that children run on, and scopes of another flow.
#include "forcing.hpp"

#include "saguaro/saguaro.hpp"
#include "stacks/surviving_values.hpp"
#include "support/death_style.hpp"
#include "support/started.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <functional>
#include <mutex>
#include <unistd.h>
#include <vector>

namespace {

using namespace saguaro::test;
using saguaro::scope;
using saguaro::scheduler::current_deque;
using saguaro::scheduler::deque;

saguaro::stacks::pool &pool() {
    return saguaro::scheduler::running()->stacks();
}

// Spawns, each in the child of the last. How many children had a stack of their own, not their
// parent's.
int own_stacks(int depth) {
    if (depth == 0)
        return 0;
    const deque *const mine = current_deque();
    int own = 0;
    scope s;
    s.spawn([&] { own = (current_deque() != mine) + own_stacks(depth - 1); });
    s.sync();
    return own;
}

// Goes on behind a spawn on the other worker, with `f`.
void on_the_thief(const std::function<void()> &f) {
    std::atomic<bool> done{false};
    scope s;
    s.spawn([&] {
        EXPECT_TRUE(force_steal());
        wait_until([&] { return done.load(); });
    });
    f();
    done = true;
    s.sync();
}

// --- The chain of suspended parents ---

// Each theft leaves a worker's chain one slot higher; after some it begins at its first again.
TEST(scope_spawn, thefts_do_not_move_the_chain_far) {
    scripted_workers workers(2);
    saguaro::run([] {
        std::atomic<std::ptrdiff_t> highest{0};
        std::atomic<int> ended{0};
        scope s;
        for (int i = 0; i < 150; ++i)
            s.spawn([&] {
                void **const first =
                    reinterpret_cast<void **>(saguaro::scheduler::current_worker()->parents.slots);
                const std::ptrdiff_t above = SG_REGION_GET(void **, chain) - first;
                highest = std::max(highest.load(), above);
                EXPECT_TRUE(force_steal());
                ++ended;
            });
        s.sync();
        EXPECT_EQ(ended, 150);
        EXPECT_GT(highest, 1) << "each theft has taken the thief's lock";
        EXPECT_LT(highest, 40);
    });
}

// Where there was one thief there are more: what the thief goes on with, and its chain, need not be
// asked for.
TEST(scope_spawn, who_has_stolen_expects_thieves) {
    scripted_workers workers(2);
    if (saguaro::scheduler::running()->asks_always)
        GTEST_SKIP() << "slots are always public";
    saguaro::run([] {
        // Both have answered in vain until they expect none.
        const auto forget = [](auto &row) {
            for (int answer = 0; answer < 2 * deque::patience; ++answer) {
                const std::lock_guard guard(row.lock);
                row.answer(row.head.load());
            }
            EXPECT_FALSE(row.expects_thieves());
        };
        forget(*current_deque());
        forget(worker_number(other()).parents);
        on_the_thief([] {
            EXPECT_TRUE(current_deque()->expects_thieves());
            EXPECT_TRUE(saguaro::scheduler::current_worker()->parents.expects_thieves());
        });
    });
}

// At the end of the chain, which is nearer here than it ever is, spawns are calls.
TEST(scope_spawn, is_a_call_when_the_chain_is_full) {
    scripted_workers workers(1);
    saguaro::run([] {
        saguaro::scheduler::chain &parents = saguaro::scheduler::current_worker()->parents;
        // Ever more, because stacks that children have had are kept for the next ones.
        for (const int room : {0, 1, 5}) {
            parents.capacity = static_cast<std::size_t>(room);
            parents.end = parents.slots + room;
            for (int turn = 0; turn < 3; ++turn)
                EXPECT_EQ(own_stacks(10), room) << turn;
        }
    });
}

// --- Registers ---

TEST(scope_spawn, values_survive_a_child) {
    scripted_workers workers(2);
    saguaro::run([] {
        scope s;
        expect_values_survive([&] { s.spawn([] { spoil_registers(); }); });
        s.sync();
    });
    EXPECT_EQ(saguaro::stats().steals, 0u);
}

TEST(scope_spawn, values_survive_a_thief) {
    scripted_workers workers(2);
    saguaro::run([] {
        const unsigned spawner = me();
        std::atomic<bool> continued{false};
        scope s;
        expect_values_survive([&] {
            s.spawn([&] {
                EXPECT_TRUE(force_steal());
                spoil_registers();
                wait_until([&] { return continued.load(); });
            });
        });
        EXPECT_EQ(me(), 1 - spawner);
        continued = true;
        s.sync();
    });
    EXPECT_EQ(saguaro::stats().steals, 1u);
}

// A child that ends apart from its parent goes on with its worker's loop.
TEST(scope_spawn, values_survive_a_sync_that_parks) {
    scripted_workers workers(2);
    saguaro::run([] {
        const unsigned spawner = me();
        const std::uint64_t parks = parks_of(1 - spawner);
        scope s;
        s.spawn([&] {
            EXPECT_TRUE(force_steal());
            wait_for_the_owner_to_park(parks);
            spoil_registers();
        });
        expect_values_survive([&] { s.sync(); });
        EXPECT_EQ(me(), spawner);
    });
    EXPECT_EQ(saguaro::stats().steals, 1u);
}

// --- The children's stacks ---

TEST(scope_spawn, children_of_one_flow_run_on_one_stack) {
    scripted_workers workers(1);
    saguaro::run([] {
        std::vector<const deque *> used;
        scope s;
        for (int i = 0; i < 4; ++i)
            s.spawn([&] {
                used.push_back(current_deque());
                if (i % 2 == 0)
                    own_stacks(3);
            });
        s.sync();
        EXPECT_NE(used[0], current_deque());
        EXPECT_EQ(used, std::vector<const deque *>(4, used[0]));
    });
}

TEST(scope_spawn, a_child_that_runs_apart_keeps_its_stack) {
    scripted_workers workers(2);
    saguaro::run([] {
        const deque *first = nullptr;
        const deque *second = nullptr;
        std::atomic<bool> done{false};
        scope s;
        s.spawn([&] {
            first = current_deque();
            EXPECT_TRUE(force_steal());
            wait_until([&] { return done.load(); });
        });
        s.spawn([&] { second = current_deque(); });
        EXPECT_NE(second, first);
        EXPECT_NE(second, current_deque());
        done = true;
        s.sync();
        EXPECT_EQ(own_stacks(5), 5);
    });
}

// --- Stacks that are kept ---

TEST(scope_spawn, a_deep_recursion_gives_its_stacks_back) {
    static constexpr int deep = 400;
    static constexpr int others = 200;
    scripted_workers workers(2);
    saguaro::run([] {
        EXPECT_EQ(own_stacks(deep), deep);
        pool().limit(pool().most_out());
        on_the_thief([] { EXPECT_EQ(own_stacks(others), others); });
        pool().limit(deep + others);
    });
}

// What a flow has kept for its children is at its worker's hand while the flow waits.
TEST(scope_spawn, a_flow_that_parks_gives_its_stacks_back) {
    static constexpr int some = 50;
    scripted_workers workers(2);
    saguaro::run([] {
        const unsigned spawner = me();
        std::atomic<bool> counted{false};
        const std::uint64_t parks = parks_of(1 - spawner);
        scope s;
        s.spawn([&] {
            EXPECT_TRUE(force_steal());
            wait_until([&] { return counted.load(); });
            wait_for_the_owner_to_park(parks);
        });
        EXPECT_EQ(own_stacks(some), some);
        const deque *const mine = current_deque();
        EXPECT_NE(mine->spawned, nullptr);
        counted = true;
        s.sync();
        EXPECT_EQ(mine->spawned, nullptr);
    });
}

// ---- A scope of another flow ----

constexpr const char *line_of_a_foreign_sync =
    "saguaro: a task syncs a scope that is not its own; only the function that made the scope, and "
    "not a child, may call its sync";

// Ends the process where `sync` waits for itself. On so many workers.
template <class F>
void sync_in_time(unsigned workers, F sync) {
    alarm(60);
    saguaro::start({.workers = workers});
    sync();
}

TEST(scope_death, refuses_the_sync_of_a_child) {
    use_threadsafe_style();
    EXPECT_DEATH(sync_in_time(2,
                              [] {
                                  saguaro::run([] {
                                      std::atomic<bool> is_taken{false};
                                      scope s;
                                      s.spawn([&] {
                                          wait_until([&] { return is_taken.load(); });
                                          s.sync();
                                      });
                                      is_taken = true;
                                      s.sync();
                                  });
                              }),
                 line_of_a_foreign_sync);
    // The exception is for the sync of the function that made the scope.
    EXPECT_DEATH(sync_in_time(1,
                              [] {
                                  saguaro::run([] {
                                      scope s;
                                      s.spawn([] { throw 1; });
                                      s.spawn([&] { s.sync(); });
                                  });
                              }),
                 line_of_a_foreign_sync);
}

TEST(scope_death, refuses_the_sync_of_a_child_where_the_scope_was_made_outside) {
    use_threadsafe_style();
    for (const unsigned workers : {1U, 2U}) {
        const auto sync_in_child = [] {
            scope s;
            s.spawn([&] { s.sync(); });
            s.sync();
        };
        EXPECT_DEATH(sync_in_time(workers, sync_in_child), line_of_a_foreign_sync) << workers;
        const auto sync_in_run = [] {
            scope s;
            s.spawn([&] { s.sync(); });
            saguaro::run([&] { s.sync(); });
        };
        EXPECT_DEATH(sync_in_time(workers, sync_in_run), line_of_a_foreign_sync) << workers;
    }
}

// The children of a child are calls, wherever the scope was made.
TEST(scope, a_child_that_spawns_into_its_parents_scope_calls) {
    for (const unsigned workers : {1U, 2U}) {
        const started some(workers);
        std::atomic<int> calls{0};
        const auto spawn_in_child = [&](scope &s) {
            for (int i = 0; i < 20; ++i)
                s.spawn([&] {
                    bool has_ended = false;
                    s.spawn([&] { has_ended = ++calls != 0; });
                    EXPECT_TRUE(has_ended);
                });
            s.sync();
        };
        scope outside;
        spawn_in_child(outside);
        saguaro::run([&] {
            scope inside;
            spawn_in_child(inside);
        });
        EXPECT_EQ(calls, 40);
    }
}

} // namespace
