// SPDX-License-Identifier: MIT
// Arenas with the workers of one node of memory, on a described machine, and arenas with a
// priority.
#include "platform/topology.hpp"
#include "saguaro/blocking.hpp"
#include "saguaro/detail/sanitizers.h"
#include "saguaro/place.h"
#include "saguaro/saguaro.hpp"
#include "scheduler/arena.hpp"
#include "scheduler/monitor.hpp"
#include "scheduler/ready.hpp"
#include "scheduler/runtime.hpp"
#include "support/kernel_calls.hpp"
#include "support/started.hpp"

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <mutex>
#include <optional>
#include <random>
#include <string>
#include <system_error>
#include <thread>
#include <vector>

namespace saguaro::scheduler {
namespace {

using namespace std::chrono_literals;

using test::becomes_true;

// Two nodes with two processors each: workers 0 and 1 are on node 0, 2 and 3 on node 1.
class two_nodes : public testing::Test {
protected:
    void SetUp() override {
        if (!platform::topology::can_read())
            GTEST_SKIP() << "hwloc is missing";
        setenv("SAGUARO_TOPOLOGY", "numa:2 core:2 pu:1", 1);
    }
    void TearDown() override { unsetenv("SAGUARO_TOPOLOGY"); }
};

// Which of four workers have done a part.
class seen_workers {
public:
    void note() { seen_[static_cast<unsigned>(worker_id()) % seen_.size()] = true; }
    bool has(unsigned worker) const { return seen_[worker]; }

private:
    std::array<std::atomic<bool>, 4> seen_{};
};

// So many parts that wait for each other, and many short ones.
void work_of(int threads, seen_workers &seen) {
    std::atomic<int> here{0};
    scope s;
    for (int i = 0; i < threads; ++i)
        s.spawn([&] {
            ++here;
            EXPECT_TRUE(becomes_true([&] { return here >= threads; }));
        });
    s.sync();
    parallel_for(0, 200, [&](int) {
        seen.note();
        std::this_thread::sleep_for(30us);
    });
}

bool is_any_left(const runtime &rt) {
    seats &all = const_cast<runtime &>(rt).seating();
    for (std::optional<int> node = all.next_node_asleep({}); node;
         node = all.next_node_asleep(node))
        if (rt.anything_to_do(nullptr, taker::on(*node)))
            return true;
    return false;
}

TEST_F(two_nodes, are_those_that_arenas_may_name) {
    EXPECT_EQ(arena::nodes(), (std::vector{0, 1}));
    arena second = arena::on_node(1);
    EXPECT_EQ(second.node(), 1);
    EXPECT_EQ(arena().node(), SG_ANY_NODE);
    testing::internal::CaptureStderr();
    EXPECT_THROW(arena::on_node(2), std::system_error);
    EXPECT_EQ(testing::internal::GetCapturedStderr(),
              "saguaro: an arena on node 2; sg_arena_nodes lists those there are\n");
    int first = -1;
    EXPECT_EQ(sg_arena_nodes(&first, 1), 2U);
    EXPECT_EQ(first, 0);
}

TEST(arena_nodes, are_the_machines_where_none_is_described) {
    std::vector<int> there(sg_place_nodes(nullptr, 0));
    sg_place_nodes(there.data(), there.size());
    EXPECT_EQ(arena::nodes(), there);
    const test::started two(2);
    arena here = arena::on_node(there.front());
    std::atomic<int> inside{0};
    if (there.size() == 1)
        here.run([&] {
            scope s;
            for (int i = 0; i < 2; ++i)
                s.spawn([&] {
                    ++inside;
                    EXPECT_TRUE(becomes_true([&] { return inside == 2; }));
                });
        });
}

TEST_F(two_nodes, have_workers_that_help_there_alone) {
    const test::started four(4);
    arena first = arena::on_node(0), second = arena::on_node(1);
    for (int round = 0; round < 3; ++round) {
        seen_workers of_first, of_second;
        second.run([&] { work_of(3, of_second); });
        first.run([&] { work_of(2, of_first); });
        EXPECT_TRUE(of_second.has(0)) << "the caller's";
        EXPECT_FALSE(of_second.has(1));
        EXPECT_FALSE(of_first.has(2));
        EXPECT_FALSE(of_first.has(3));
    }
    // A task that is no worker of the node calls.
    run([&] {
        seen_workers of_both;
        second.run([&] { work_of(3, of_both); });
        EXPECT_FALSE(of_both.has(1));
    });
}

TEST_F(two_nodes, limit_arenas_of_few_workers_as_well) {
    const test::started four(4);
    arena one({.workers = 1, .node = 1}), two({.workers = 2, .node = 1});
    seen_workers of_one, of_two;
    one.run([&] { work_of(1, of_one); });
    two.run([&] { work_of(2, of_two); });
    EXPECT_FALSE(of_one.has(1) || of_one.has(2) || of_one.has(3));
    EXPECT_FALSE(of_two.has(1));
}

// No nap ends while it lives.
class all_asleep_now {
public:
    explicit all_asleep_now(int threads) {
        test_support::sleeps.ignore_limits = true;
        EXPECT_TRUE(becomes_true([=] {
            return test_support::sleeps.without_end == threads && running()->seating().awake() == 0;
        }));
    }
    ~all_asleep_now() { test_support::sleeps.ignore_limits = false; }
    all_asleep_now(const all_asleep_now &) = delete;
    all_asleep_now &operator=(const all_asleep_now &) = delete;
};

TEST_F(two_nodes, have_sleepers_of_their_own) {
    const test::started four(4);
    run([&] {
        const all_asleep_now now(3);
        seats &all = running()->seating();
        EXPECT_EQ(all.next_node_asleep({}), 0);
        EXPECT_EQ(all.next_node_asleep(0), 1);
        EXPECT_EQ(all.next_node_asleep(1), std::nullopt);
        EXPECT_FALSE(all.wake(0, 7));
        EXPECT_EQ(all.awake(), 0);
    });
}

// Pushes look there before they take the lock.
TEST_F(two_nodes, are_told_apart_without_the_lock) {
    const test::started four(4);
    seats all;
    all.open(4, -1);
    participant of_first, of_second, anywhere;
    of_first.seat = &running()->worker_at(1);
    of_second.seat = &running()->worker_at(2);
    const auto sleep_on = [&] {
        return std::array{all.any_sleeps_on(0), all.any_sleeps_on(1), all.any_sleeps_on(7),
                          all.any_sleeps_on(SG_ANY_NODE)};
    };
    EXPECT_EQ(sleep_on(), (std::array{false, false, false, true}));
    EXPECT_TRUE(all.rest(of_first, false) && all.rest(of_second, false));
    EXPECT_EQ(sleep_on(), (std::array{true, true, false, true}));
    EXPECT_FALSE(all.wake(0, 7));
    EXPECT_TRUE(all.wake(0, 0));
    EXPECT_EQ(sleep_on(), (std::array{false, true, false, true}));
    EXPECT_FALSE(all.wake(0, 0));
    // A stand-in is for each.
    EXPECT_TRUE(all.rest(anywhere, false));
    EXPECT_EQ(sleep_on(), (std::array{true, true, true, true}));
    EXPECT_TRUE(all.wake(0, 0) && all.wake(0, 1));
    EXPECT_EQ(sleep_on(), (std::array{false, false, false, true}));
}

// What a push wakes is a thread that can take it.
TEST_F(two_nodes, are_woken_by_pushes_in_their_arenas) {
    const test::started four(4);
    for (const int node : {1, 0, 1}) {
        arena there = arena::on_node(node);
        there.run([&] {
            const all_asleep_now now(3);
            std::atomic<int> who{-1};
            parallel_invoke([&] { EXPECT_TRUE(becomes_true([&] { return who >= 0; })); },
                            [&] { who = worker_id(); });
            EXPECT_EQ(who / 2, node);
        });
    }
}

// A thread of node 0 is woken for nothing. What it may not take itself, it calls another for.
TEST_F(two_nodes, are_called_by_a_thread_that_falls_asleep) {
    const test::started four(4);
    arena second = arena::on_node(1);
    second.run([&] {
        const all_asleep_now now(3);
        nesting elsewhere;
        elsewhere.in = arena_of(current_worker()->whose());
        static std::atomic<int> who;
        who = -1;
        ready_work one;
        one.what.body = [](void *) { who = worker_id(); };
        one.of = {nullptr, &elsewhere};
        running()->ready.push(one); // wakes none
        EXPECT_TRUE(running()->seating().wake(0, 0));
        EXPECT_TRUE(becomes_true([&] { return who >= 0; }));
        EXPECT_GE(who, 2);
    });
}

TEST_F(two_nodes, leave_nothing_to_steal_beside_a_sleeper_that_may_take_it) {
    constexpr int callers = 3;
    constexpr int rounds = SG_THREAD_SANITIZER || SG_ADDRESS_SANITIZER ? 10 : 30;
    const test::started five(5); // worker 4 is on node 0
    arena first = arena::on_node(0), second = arena::on_node(1), both;
    const std::vector<arena *> all{&first, &second, &both};
    test::monitor looks;
    const auto spread = [&](auto &self, unsigned number, unsigned random) -> void {
        if (number == 1) {
            std::optional<blocking> wait;
            if (random % 4 == 0)
                wait.emplace();
            return looks.part(random % 3);
        }
        all[random % 3]->run([&] {
            parallel_invoke([&] { self(self, number / 2, random * 3 + 1); },
                            [&] { self(self, number - number / 2, random / 5); });
        });
    };
    std::atomic<int> left{callers};
    std::thread enter([&] {
        test::on_threads(callers, [&](int number) {
            std::mt19937 random(static_cast<unsigned>(number));
            for (int i = 0; i < rounds; ++i)
                run([&] {
                    spread(spread, static_cast<unsigned>(random() % 6 + 1),
                           static_cast<unsigned>(random()));
                });
            --left;
        });
    });
    bool holds = true;
    while (left != 0)
        holds = looks.look(is_any_left) && holds;
    enter.join();
    EXPECT_TRUE(holds);
    EXPECT_FALSE(nodes_matter()) << "no call is under way";
}

// Parts that wait for each other in blocking scopes, more than the node has workers. The stand-ins'
// places in the described machine alternate.
TEST_F(two_nodes, have_stand_ins_for_all_that_block_there) {
    const test::started four(4);
    arena first = arena::on_node(0), second = arena::on_node(1);
    const auto block = [](arena &there, int parts) {
        std::atomic<int> here{0}, in_vain{0};
        there.run([&] {
            scope s;
            for (int i = 0; i < parts; ++i)
                s.spawn([&] {
                    const blocking wait;
                    ++here;
                    if (!becomes_true([&] { return here >= parts; }))
                        ++in_vain;
                });
        });
        return in_vain == 0;
    };
    for (const int parts : {5, 8, 12}) {
        ASSERT_TRUE(block(second, parts)) << parts;
        ASSERT_TRUE(block(first, parts)) << parts;
    }
    EXPECT_EQ(running()->seating().stand_ins.all(), 12U) << "they serve both nodes";
    // Each node's parts are in the way of the other's.
    std::thread other([&] { EXPECT_TRUE(block(first, 7)); });
    EXPECT_TRUE(block(second, 7));
    other.join();
}

TEST(arena_priority, is_one_of_three) {
    EXPECT_EQ(arena().priority(), arena_priority::normal);
    EXPECT_EQ(arena({.priority = arena_priority::high}).priority(), arena_priority::high);
    for (const int wrong : {SG_PRIORITY_LOW - 1, SG_PRIORITY_HIGH + 1}) {
        testing::internal::CaptureStderr();
        errno = 0;
        EXPECT_EQ(sg_arena_create_for(1, SG_ANY_NODE, wrong), nullptr);
        EXPECT_EQ(errno, EINVAL);
        EXPECT_EQ(testing::internal::GetCapturedStderr(),
                  "saguaro: an arena's priority is SG_PRIORITY_LOW, SG_PRIORITY_NORMAL or "
                  "SG_PRIORITY_HIGH\n");
    }
}

// Callers that each wait until the one thread of the runtime's has taken a part of theirs, and one
// that keeps the thread until all have pushed.
class parts_in_turn {
public:
    void keep_the_thread() {
        run([this] {
            parallel_invoke([this] { wait_for(is_kept_); },
                            [this] {
                                is_kept_ = true;
                                wait_for(may_go_);
                            });
        });
    }
    void wait_until_kept() { wait_for(is_kept_); }
    void part(char name) {
        std::atomic<bool> taken{false};
        parallel_invoke(
            [&] {
                ++pushed_;
                wait_for(taken);
            },
            [&] {
                note(name);
                taken = true;
            });
    }
    void note(char name) {
        const std::lock_guard guard(lock_);
        order_ += name;
    }
    // When so many parts have been pushed: the thread finds them all, and what `prepare` adds.
    template <class Prepare>
    void let_go(int pushed, Prepare prepare) {
        EXPECT_TRUE(becomes_true([=, this] { return pushed_ == pushed; }));
        prepare();
        may_go_ = true;
    }
    std::string order() {
        const std::lock_guard guard(lock_);
        return order_;
    }

private:
    static void wait_for(const std::atomic<bool> &what) {
        EXPECT_TRUE(becomes_true([&] { return what.load(); }));
    }

    std::atomic<bool> is_kept_{false}, may_go_{false};
    std::atomic<int> pushed_{0};
    std::mutex lock_;
    std::string order_;
};

TEST(arena_priority, decides_what_a_worker_takes_first) {
    const test::started two(2);
    run([] {});
    constexpr int callers = 4;
    // There is a processor for the thread all the same.
    running()->seating().count_threadless(callers, 0);
    arena low({.priority = arena_priority::low}), high({.priority = arena_priority::high});
    for (int round = 0; round < 10; ++round) {
        parts_in_turn parts;
        ready_work listed;
        listed.what.argument = &parts;
        listed.what.body = [](void *of) { static_cast<parts_in_turn *>(of)->note('r'); };
        std::thread others([&] {
            test::on_threads(callers, [&](int number) {
                if (number == 0)
                    return parts.keep_the_thread();
                parts.wait_until_kept();
                if (number == 1)
                    low.run([&] { parts.part('l'); });
                else if (number == 2)
                    run([&] { parts.part('n'); });
                else
                    high.run([&] { parts.part('h'); });
            });
        });
        parts.let_go(callers - 1, [&] { running()->ready.push(listed); });
        EXPECT_TRUE(becomes_true([&] { return parts.order().size() == 4; }));
        others.join();
        EXPECT_TRUE(parts.order() == "hnrl" || parts.order() == "hrnl") << parts.order();
    }
    EXPECT_FALSE(ranks_matter()) << "no call is under way";
    running()->seating().count_threadless(-callers, 0);
}

// The thread took it by the former arena's node.
TEST(scheduler_arena_memory, is_not_used_again_while_a_thread_has_a_place) {
    sg_arena *const former = sg_arena_create(2);
    former->here.store(1, std::memory_order_relaxed);
    sg_arena_destroy(former);
    sg_arena *const other = sg_arena_create_for(2, SG_ANY_NODE, SG_PRIORITY_HIGH);
    EXPECT_NE(other, former);
    former->here.store(0, std::memory_order_relaxed);
    sg_arena *const third = sg_arena_create(2);
    EXPECT_EQ(third, former);
    sg_arena_destroy(other);
    sg_arena_destroy(third);
}

} // namespace
} // namespace saguaro::scheduler
