// SPDX-License-Identifier: MIT
// Tests of task_group: who may run tasks into it, what a wait waits for, exceptions, cancellation.
#include "saguaro/task_group.hpp"

#include "forcing.hpp"
#include "saguaro/saguaro.hpp"
#include "support/death_style.hpp"
#include "support/started.hpp"
#include "task_group_from_c.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace {

using namespace saguaro::test;
using saguaro::task_group;
using saguaro::task_group_status;

constexpr int children_of_each = 4;
constexpr int levels = is_slow ? 5 : 8;

// The tasks below one: what a program for oneTBB does whose children run into their caller's group.
void grow(task_group &g, std::atomic<long> &visited, int depth) {
    ++visited;
    if (depth == levels)
        return;
    for (int i = 0; i < children_of_each; ++i)
        g.run([&g, &visited, depth] { grow(g, visited, depth + 1); });
}

constexpr long tasks_below_the_first() {
    long all = 0;
    long of_this_level = 1;
    for (int level = 0; level < levels; ++level)
        all += of_this_level *= children_of_each;
    return all;
}

class task_groups : public testing::TestWithParam<unsigned> {
protected:
    const started workers{GetParam()};
};

INSTANTIATE_TEST_SUITE_P(workers, task_groups, testing::Values(1U, 2U, 8U));

TEST(task_group, each_task_of_a_task_is_a_spawn) {
    saguaro::start({.workers = 2, .statistics = true});
    std::atomic<long> visited{0};
    saguaro::run([&] {
        task_group g;
        grow(g, visited, 0);
        EXPECT_EQ(g.wait(), task_group_status::complete);
        EXPECT_EQ(visited, tasks_below_the_first() + 1);
    });
    EXPECT_EQ(saguaro::stats().spawns, static_cast<std::uint64_t>(tasks_below_the_first()));
    saguaro::stop();
}

TEST_P(task_groups, wait_for_the_tasks_of_tasks) {
    for (int turn = 0; turn < 3; ++turn) {
        std::atomic<long> visited{0};
        saguaro::run([&] {
            task_group g;
            grow(g, visited, 0);
            g.wait();
            EXPECT_EQ(visited, tasks_below_the_first() + 1);
        });
    }
}

TEST_P(task_groups, enter_by_themselves) {
    std::atomic<long> visited{0};
    task_group g;
    grow(g, visited, 0);
    EXPECT_EQ(g.wait(), task_group_status::complete);
    EXPECT_EQ(visited, tasks_below_the_first() + 1);
}

// The task's own part has returned, and what it has run into a group that lives on looks at it.
TEST(task_group, a_task_lasts_as_long_as_what_it_runs_into_a_group_of_its_own) {
    const scripted_workers workers(2);
    std::atomic<bool> has_returned{false};
    std::unique_ptr<task_group> made;
    saguaro::run([&] {
        task_group g;
        g.run([&] {
            made = std::make_unique<task_group>();
            made->run([&] {
                EXPECT_TRUE(force_steal()); // the root, which waits
                wait_for_the_thief();
                EXPECT_TRUE(force_steal()); // the task
                wait_until([&] { return has_returned.load(); });
                wait_for_the_thief();
                auto *const outer = static_cast<saguaro::detail::group_task *>(
                    saguaro::detail::flow_that_runs().task->outer);
                EXPECT_EQ(outer->flow().task, outer);
                EXPECT_FALSE(saguaro::is_current_task_group_canceling());
            });
            has_returned = true;
        });
        g.wait();
    });
}

// What a thread outside of any run runs begins without a wait, if there is a thread for it.
TEST(task_group, begins_what_comes_from_outside) {
    const started workers(2);
    std::atomic<int> ended{0};
    task_group g;
    for (int turn = 1; turn <= 3; ++turn) {
        g.run([&] { ++ended; });
        wait_until([&] { return ended == turn; });
    }
    g.wait();
}

// The worker that has begun the tasks of a thread outside of any run holds the workers no longer.
TEST(task_group, lets_stop_who_has_waited) {
    const on_one_processor here;
    const scripted_workers workers(2, std::chrono::nanoseconds(0));
    task_group g;
    std::atomic<bool> has_begun{false};
    g.run([&] {
        give_way_to_the_woken();
        const std::uint64_t parks = parks_of(other());
        has_begun = true;
        wait_until([&] { return parks_of(other()) > parks && is_idle(other()); });
    });
    wait_until([&] { return has_begun.load(); });
    g.wait();
}

TEST_P(task_groups, take_tasks_of_loops_and_of_other_scopes) {
    std::atomic<long> ended{0};
    constexpr long each = 200;
    saguaro::run([&] {
        task_group g;
        saguaro::parallel_for(0L, each, [&](long) { g.run([&] { ++ended; }); });
        saguaro::parallel_invoke([&] { g.run([&] { ++ended; }); },
                                 [&] { g.run([&] { ++ended; }); });
        saguaro::scope s;
        for (long i = 0; i < each; ++i)
            s.spawn([&] {
                g.run([&] { ++ended; });
                g.run([&] { ++ended; });
            });
        s.sync();
        g.wait();
        EXPECT_EQ(ended, 3 * each + 2);
    });
}

TEST_P(task_groups, take_tasks_of_many_threads) {
    std::atomic<long> ended{0};
    constexpr int threads = 4;
    constexpr long each = is_slow ? 100 : 1000;
    task_group g;
    on_threads(threads, [&](int number) {
        for (long i = 0; i < each; ++i)
            if (number % 2 == 0)
                g.run([&] { ++ended; });
            else
                saguaro::run([&] { g.run([&] { ++ended; }); });
    });
    g.wait();
    EXPECT_EQ(ended, threads * each);
}

// Several wait at once, and each for all.
TEST_P(task_groups, are_waited_for_by_many_threads) {
    constexpr int threads = 4;
    constexpr int turns = is_slow ? 20 : 200;
    task_group g;
    on_threads(threads, [&](int) {
        for (int turn = 0; turn < turns; ++turn) {
            std::atomic<int> ended{0};
            for (int i = 0; i < 5; ++i)
                g.run([&] { ++ended; });
            g.wait();
            EXPECT_EQ(ended, 5);
        }
    });
}

// A tree of groups, each made and waited for in a task of the one above.
long fib_by_groups(long n) {
    if (n < 2)
        return n;
    long x = 0;
    long y = 0;
    task_group g;
    g.run([&] { x = fib_by_groups(n - 1); });
    g.run_and_wait([&] { y = fib_by_groups(n - 2); });
    return x + y;
}

TEST_P(task_groups, nest) {
    EXPECT_EQ(saguaro::run([] { return fib_by_groups(18); }), 2584);
    EXPECT_EQ(fib_by_groups(14), 377);
}

// Tasks of an inner group run tasks into the outer one.
TEST_P(task_groups, take_tasks_of_the_groups_in_them) {
    std::atomic<int> inner_ended{0};
    std::atomic<int> outer_ended{0};
    constexpr int each = 30;
    saguaro::run([&] {
        task_group outer;
        for (int i = 0; i < each; ++i)
            outer.run([&] {
                task_group inner;
                for (int k = 0; k < each; ++k)
                    inner.run([&] {
                        ++inner_ended;
                        outer.run([&] { ++outer_ended; });
                    });
                inner.wait();
            });
        outer.wait();
        EXPECT_EQ(inner_ended, each * each);
        EXPECT_EQ(outer_ended, each * each);
    });
}

// A recursion of a hundred thousand tasks, each of which runs the next and ends.
void count_down(task_group &g, std::atomic<int> &ended, int left) {
    ++ended;
    if (left != 0)
        g.run([&g, &ended, left] { count_down(g, ended, left - 1); });
}

TEST_P(task_groups, bound_the_depth_of_tasks_that_run_tasks) {
    constexpr int depth = is_slow ? 3'000 : 100'000;
    std::atomic<int> ended{0};
    saguaro::run([&] {
        task_group g;
        count_down(g, ended, depth);
        g.wait();
    });
    EXPECT_EQ(ended, depth + 1);
    EXPECT_LT(saguaro::stats().stacks, 1100U * GetParam());
}

// --- Exceptions ---

TEST_P(task_groups, throw_what_comes_first_in_serial_order) {
    const nothing_leaks check;
    for (int turn = 0; turn < 20; ++turn)
        saguaro::run([&] {
            task_group g;
            for (int i = 0; i < 40; ++i)
                g.run([&g, i] {
                    if (i >= 10)
                        g.run([i] { throw thrown(i); });
                    if (i >= 5)
                        throw thrown(1000 + i);
                });
            EXPECT_EQ(who_throws([&] { g.wait(); }), 1005);
            g.run([] {});
            EXPECT_EQ(g.wait(), task_group_status::complete) << "as new";
        });
}

TEST_P(task_groups, throw_what_a_task_of_a_task_throws_before_the_task) {
    saguaro::run([] {
        task_group g;
        g.run([&] {
            g.run([] { throw thrown(1); });
            throw thrown(2);
        });
        EXPECT_EQ(who_throws([&] { g.wait(); }), 1);
    });
}

TEST_P(task_groups, throw_what_others_ran_if_the_makers_tasks_did_not) {
    const nothing_leaks check;
    saguaro::run([] {
        task_group g;
        saguaro::parallel_for(0, 10, [&](int i) { g.run([i] { throw thrown(i); }); });
        // The first in time, if the loop was cut up; and the maker's own iterations come first.
        const int who = who_throws([&] { g.wait(); });
        EXPECT_GE(who, 0);
        EXPECT_LT(who, 10);
        saguaro::parallel_for(0, 10, [&](int i) { g.run([i] { throw thrown(i); }); });
        g.run([] { throw thrown(100); });
        EXPECT_NE(who_throws([&] { g.wait(); }), -1);
        EXPECT_EQ(g.wait(), task_group_status::complete);
    });
    task_group g;
    for (int i = 0; i < 10; ++i)
        g.run([i] { throw thrown(i); });
    EXPECT_EQ(who_throws([&] { g.wait(); }), 0) << "the first that was run";
}

// A closure whose copy throws.
struct refuses_copies {
    refuses_copies() = default;
    refuses_copies(const refuses_copies &) { throw thrown(7); }
    void operator()() const { ADD_FAILURE(); }
};

TEST_P(task_groups, throw_what_copying_the_task_throws) {
    const nothing_leaks check;
    const refuses_copies f;
    saguaro::run([&] {
        task_group g;
        EXPECT_EQ(who_throws([&] {
                      g.run(f);
                      g.wait();
                  }),
                  7);
        task_group elsewhere(saguaro::any_flow);
        EXPECT_EQ(who_throws([&] {
                      elsewhere.run(f);
                      elsewhere.wait();
                  }),
                  7);
    });
    task_group g;
    EXPECT_EQ(who_throws([&] { g.run(f); }), 7);
    g.wait();
}

// --- Cancellation ---

TEST_P(task_groups, begin_nothing_once_they_are_cancelled) {
    saguaro::run([&] {
        task_group g;
        std::atomic<int> called{0};
        for (int i = 0; i < 100; ++i)
            g.run([&, i] {
                ++called;
                if (i == 9) {
                    EXPECT_FALSE(g.is_canceling());
                    g.cancel();
                    EXPECT_TRUE(g.is_canceling());
                    EXPECT_TRUE(saguaro::is_current_task_group_canceling());
                    // A group in the task is cancelled too.
                    task_group inner;
                    inner.run([] { ADD_FAILURE() << "begun in a cancelled group"; });
                    EXPECT_TRUE(inner.is_canceling());
                    inner.wait();
                }
            });
        EXPECT_EQ(g.wait(), task_group_status::canceled);
        if (GetParam() == 1)
            EXPECT_EQ(called, 10);
        else
            EXPECT_GE(called, 10);
        EXPECT_FALSE(g.is_canceling());
        g.run([&] { called = -1; });
        EXPECT_EQ(g.wait(), task_group_status::complete);
        EXPECT_EQ(called, -1) << "as new";
    });
    EXPECT_FALSE(saguaro::is_current_task_group_canceling());
    EXPECT_EQ(saguaro::detail::cancelled_groups, 0U) << "runs look no further";
    task_group g;
    g.cancel();
    g.run([] { ADD_FAILURE() << "begun in a cancelled group"; });
    EXPECT_EQ(g.wait(), task_group_status::canceled);
}

TEST_P(task_groups, begin_nothing_in_a_cancelled_scope) {
    saguaro::run([] {
        saguaro::cancellable_scope around;
        task_group g;
        around.cancel();
        g.run([] { ADD_FAILURE() << "begun in a cancelled scope"; });
        g.wait();
    });
}

// --- Reducers ---

TEST_P(task_groups, keep_the_serial_order_of_the_makers_tasks) {
    for (int turn = 0; turn < 10; ++turn) {
        std::string expected;
        for (int i = 0; i < 200; ++i)
            expected += std::to_string(i) + "(" + std::to_string(i + 1) + ")";
        saguaro::reducer<saguaro::string_append> text;
        saguaro::run([&] {
            task_group g;
            for (int i = 0; i < 200; ++i)
                g.run([&, i] {
                    *text += std::to_string(i);
                    g.run([&, i] { *text += "(" + std::to_string(i + 1); });
                    g.run([&] { *text += ")"; });
                });
            g.wait();
        });
        EXPECT_EQ(text.get(), expected);
    }
}

TEST_P(task_groups, add_up_on_any_flow) {
    for (int turn = 0; turn < 10; ++turn) {
        saguaro::reducer<saguaro::add<long>> sum;
        {
            task_group g;
            for (long i = 1; i <= 100; ++i)
                g.run([&, i] {
                    *sum += i;
                    g.run([&] { *sum += 1; });
                });
            g.wait();
            saguaro::run([&] {
                saguaro::parallel_for(0L, 100L, [&](long) { g.run([&] { *sum += 10; }); });
                g.wait();
            });
        }
        EXPECT_EQ(sum.get(), 5050 + 100 + 1000);
    }
}

// --- Waiting ---

// The flow that waits stands on others, which must go on: nothing else ends the task.
TEST(task_group, leaves_its_worker_to_others_while_it_waits) {
    const started workers(2);
    for (int turn = 0; turn < (is_slow ? 20 : 200); ++turn) {
        saguaro::reducer<saguaro::string_append> text;
        std::atomic<bool> below_went_on{false};
        std::atomic<bool> has_run{false};
        task_group g;
        saguaro::run([&] {
            saguaro::scope s;
            *text += "a";
            s.spawn([&] {
                *text += "b";
                g.run([&] { // in the loop of another worker, most often
                    *text += "c";
                    has_run = true;
                });
            });
            s.spawn([&] {
                *text += "d";
                saguaro::parallel_invoke(
                    [&] {
                        *text += "e";
                        g.wait();
                        *text += "f";
                    },
                    [&] { *text += "g"; });
            });
            *text += "h";
            below_went_on = true;
            s.sync();
        });
        EXPECT_TRUE(below_went_on && has_run);
        EXPECT_EQ(text.get(), "abcdefgh");
    }
}

// The task ends only after what stands below the flow that waits has gone on, whichever worker that
// needs.
TEST(task_group, wait_does_not_hold_what_is_below_it) {
    const started workers(2);
    for (int turn = 0; turn < (is_slow ? 20 : 200); ++turn) {
        task_group g(saguaro::any_flow);
        std::atomic<int> step{0};
        std::thread outside([&] {
            saguaro::run([&] {
                g.run([&] {
                    step = 1;
                    wait_until([&] { return step == 2; });
                });
            });
        });
        wait_until([&] { return step == 1; });
        saguaro::reducer<saguaro::string_append> text;
        saguaro::run([&] {
            saguaro::scope s;
            *text += "a";
            s.spawn([&] {
                *text += "b";
                saguaro::parallel_invoke(
                    [&] {
                        g.wait();
                        EXPECT_EQ(step, 2);
                        *text += "c";
                    },
                    [&] { *text += "d"; });
            });
            step = 2; // this worker is in the wait, and the other one in the task
            *text += "e";
            s.sync();
        });
        outside.join();
        EXPECT_EQ(text.get(), "abcde");
    }
}

// One task waits for another that comes while the only flow which could begin that one is parked.
TEST(task_group, wakes_who_waits_for_a_task_that_is_put_aside) {
    const started workers(1);
    task_group g;
    std::atomic<bool> has_begun{false};
    std::atomic<bool> second_has_run{false};
    std::thread runs_the_first([&] {
        saguaro::run([&] {
            g.run([&] {
                has_begun = true;
                wait_until([&] { return second_has_run.load(); });
            });
        });
    });
    wait_until([&] { return has_begun.load(); });
    std::thread puts_the_second_aside([&] {
        wait_until([] { return saguaro::stats().parks != 0; });
        g.run([&] { second_has_run = true; });
    });
    g.wait();
    EXPECT_TRUE(second_has_run);
    runs_the_first.join();
    puts_the_second_aside.join();
}

TEST_P(task_groups, let_a_task_wait_for_what_it_has_run) {
    saguaro::run([&] {
        task_group g;
        std::atomic<int> ended{0};
        for (int i = 0; i < 20; ++i)
            g.run([&] {
                std::atomic<int> mine{0};
                for (int k = 0; k < 20; ++k)
                    g.run([&] {
                        ++mine;
                        ++ended;
                    });
                EXPECT_EQ(g.wait(), task_group_status::complete);
                EXPECT_EQ(mine, 20);
            });
        g.wait();
        EXPECT_EQ(ended, 400);
    });
}

TEST_P(task_groups, wait_at_their_end) {
    std::atomic<int> ended{0};
    saguaro::run([&] {
        for (int turn = 0; turn < 50; ++turn) {
            task_group g;
            g.run([&] { g.run([&] { ++ended; }); });
            g.run([] { throw thrown(1); });
        }
        EXPECT_EQ(ended, 50);
    });
    {
        task_group g;
        g.run([&] { g.run([&] { ++ended; }); });
        g.run([] { throw thrown(1); });
    }
    EXPECT_EQ(ended, 51);
    saguaro::run([&] {
        const auto kept = std::make_unique<task_group>(saguaro::any_flow);
        saguaro::parallel_for(0, 100, [&](int) { kept->run([&] { ++ended; }); });
    });
    EXPECT_EQ(ended, 151);
}

// A group outlives the flow that made it, with tasks that are still out.
TEST_P(task_groups, outlive_their_maker) {
    std::atomic<int> ended{0};
    std::unique_ptr<task_group> g;
    saguaro::run([&] {
        g = std::make_unique<task_group>();
        for (int i = 0; i < 100; ++i)
            g->run([&] { ++ended; });
    });
    EXPECT_EQ(ended, 100);
    g->run([&] { ++ended; });
    g->wait();
    EXPECT_EQ(ended, 101);
}

// --- C ---

TEST_P(task_groups, run_functions_of_c) {
    constexpr int depth = is_slow ? 4 : 8;
    long nodes = 0;
    for (long level = 0, of_level = 1; level <= depth; ++level, of_level *= 3)
        nodes += of_level;
    EXPECT_EQ(count_nodes_in_a_group(depth), nodes);
    EXPECT_EQ(saguaro::run([] { return count_nodes_in_a_group(depth); }), nodes);
    if (GetParam() == 1)
        EXPECT_EQ(tasks_of_a_cancelled_group(), 1);
    else
        EXPECT_GE(tasks_of_a_cancelled_group(), 1);
}

// --- Forced steals ---

// A worker has the rest of a flow that has run a task, whose own end is yet to come.
TEST(task_group, is_waited_for_where_a_flow_that_was_taken_ends) {
    scripted_workers workers(2);
    saguaro::run([] {
        task_group g(saguaro::any_flow);
        std::atomic<bool> may_end{false};
        bool ended = false;
        saguaro::scope s;
        s.spawn([&] {
            force_steal_if(true); // the root's flow, below
            g.run([&] {
                force_steal_if(true); // this child's
                wait_until([&] { return may_end.load(); });
                ended = true;
            });
            may_end = true; // at the other worker; the child ends before its task
        });
        s.sync();
        EXPECT_TRUE(ended);
    });
}

TEST(task_group, has_the_views_of_what_the_waiting_flow_has_run) {
    scripted_workers workers(2);
    saguaro::reducer<saguaro::add<int>> sum;
    saguaro::run([&] {
        task_group g(saguaro::any_flow);
        *sum += 1;
        g.run([&] {
            *sum += 2;
            force_steal_if(true);
        });
        *sum += 4; // at the other worker
        g.wait();
        EXPECT_EQ(*sum, 7);
    });
}

TEST(task_group_death, refuses_a_wait_of_another_flow) {
    use_threadsafe_style();
    EXPECT_DEATH(saguaro::run([] {
                     task_group g;
                     saguaro::scope s;
                     s.spawn([&] { g.wait(); });
                 }),
                 "saguaro: task_group: wait in another flow than the one that made the group");
}

} // namespace
