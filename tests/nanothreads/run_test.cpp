// SPDX-License-Identifier: MIT
// Creating and running: who runs, in which order, on which stacks.
#include "designs.hpp"
#include "platform/lent_threads.hpp"
#include "saguaro/nanothreads.hpp"
#include "saguaro/saguaro.hpp"
#include "scheduler/runtime.hpp"
#include "stacks/stack_groups.hpp"
#include "support/rounding.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <gtest/gtest.h>
#include <iterator>
#include <memory>
#include <mutex>
#include <random>
#include <sched.h>
#include <set>
#include <string>
#include <system_error>
#include <thread>
#include <vector>

// from_c.c
extern "C" long sum_by_nanothreads(const char *design, unsigned processors, long n);

namespace saguaro::nt {

namespace {

class nanothreads_run : public on_each_design {};

TEST_P(nanothreads_run, the_main_thread) {
    int ran = 0;
    const statistics done = run(chosen(), [&] { ++ran; });
    EXPECT_EQ(ran, 1);
    EXPECT_EQ(done.created, 1U);
}

TEST_P(nanothreads_run, each_thread_runs_once) {
    std::vector<std::atomic<int>> ran(3000);
    const statistics done = run(chosen(), [&] {
        for (std::atomic<int> &mine : ran)
            fork([&mine] { ++mine; });
        join();
        for (const std::atomic<int> &each : ran)
            EXPECT_EQ(each, 1);
    });
    EXPECT_EQ(done.created, 3001U);
}

TEST_P(nanothreads_run, from_c) {
    EXPECT_EQ(sum_by_nanothreads(design().c_str(), processors(), 1000), 1000 * 1001 / 2);
}

long fib(long n) {
    if (n < 2)
        return n;
    long first = 0;
    fork([&first, n] { first = fib(n - 1); });
    const long second = fib(n - 2);
    join();
    return first + second;
}

TEST_P(nanothreads_run, a_tree_of_joins) {
    long result = 0;
    run(chosen(), [&] { result = fib(15); });
    EXPECT_EQ(result, 610);
}

TEST_P(nanothreads_run, a_thread_that_ends_joins_first) {
    std::atomic<int> grandchildren{0};
    run(chosen(), [&] {
        fork([&] {
            for (int i = 0; i < 10; ++i)
                fork([&] { ++grandchildren; });
        });
        join();
        EXPECT_EQ(grandchildren, 10);
    });
}

// What nobody joins runs before the run returns.
TEST_P(nanothreads_run, threads_without_successors) {
    std::atomic<int> ran{0};
    run(chosen(), [&] {
        for (int i = 0; i < 100; ++i)
            create([&] { create([&] { ++ran; }); });
    });
    EXPECT_EQ(ran, 100);
}

TEST_P(nanothreads_run, self_is_the_handle) {
    constexpr std::size_t count = 50;
    std::array<thread *, count> handles{};
    std::array<thread *, count> seen{};
    std::array<thread *, count> seen_later{};
    run(chosen(), [&] {
        thread *const main_thread = self();
        // They wait for the main thread's count, so that the handles stay valid.
        for (std::size_t i = 0; i < count; ++i)
            handles[i] = create(
                [&, i] {
                    seen[i] = self();
                    yield();
                    char frame[4096];
                    [&] { seen_later[i] = self(); }();
                    asm volatile("" : : "r"(frame) : "memory");
                    satisfy(main_thread);
                },
                1);
        EXPECT_EQ(std::set<thread *>(handles.begin(), handles.end()).size(), count);
        expect(count);
        for (thread *const t : handles)
            satisfy(t);
        join();
        EXPECT_EQ(self(), main_thread);
    });
    EXPECT_EQ(seen, handles);
    EXPECT_EQ(seen_later, handles);
}

// Each begins after all it depends on, whatever they are.
TEST_P(nanothreads_run, a_random_graph) {
    constexpr std::size_t nodes = 400;
    std::mt19937 random(7);
    std::vector<std::vector<std::size_t>> after(nodes);
    std::vector<unsigned> before(nodes, 0);
    for (std::size_t i = 0; i < nodes; ++i)
        for (std::size_t edges = random() % 5; edges > 0 && i + 1 < nodes; --edges) {
            const std::size_t to = i + 1 + random() % (nodes - i - 1);
            after[i].push_back(to);
            ++before[to];
        }
    std::vector<std::atomic<unsigned>> done_before(nodes);
    std::atomic<std::size_t> ran{0};
    run(chosen(), [&] {
        std::vector<thread *> threads(nodes);
        for (std::size_t i = nodes; i-- > 0;) {
            std::vector<thread *> successors;
            for (const std::size_t to : after[i])
                successors.push_back(threads[to]);
            const auto body = [&, i] {
                EXPECT_EQ(done_before[i], before[i]);
                for (const std::size_t to : after[i])
                    ++done_before[to];
                ++ran;
            };
            // One more than in the graph: none begins before all exist.
            threads[i] = detail::make_thread(body, [&](void (*function)(void *), void *argument) {
                return sg_nt_create(function, argument, before[i] + 1, successors.data(),
                                    successors.size());
            });
        }
        for (thread *const t : threads)
            satisfy(t);
    });
    EXPECT_EQ(ran, nodes);
}

// All processors run one of these at a time: the stacks that all of them use are what is known in
// advance, 2 P for direct reuse and 3 P - 1 for lazy allocation, counting those of the system's
// threads that the run made.
TEST_P(nanothreads_run, the_count_of_stacks_is_known_in_advance) {
    if (design() == "dos")
        GTEST_SKIP() << "has a stack for each thread";
    std::mutex lock;
    std::set<std::uintptr_t> used;
    const auto note_stack = [&] {
        const std::lock_guard guard(lock);
        used.insert(reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0)) | sg_nt_mask);
    };
    const statistics done = run(chosen(), [&] {
        note_stack();
        // Three rounds: each processor has begun twice, so that its stacks have gone round.
        for (int round = 0; round < 3; ++round) {
            std::atomic<unsigned> arrived{0};
            for (unsigned i = 0; i < processors(); ++i)
                fork([&] {
                    note_stack();
                    for (++arrived; arrived < processors();)
                        sched_yield();
                });
            join();
        }
        for (int i = 0; i < 5000; ++i) // Empty
            fork([] {});
        join();
    });
    const std::size_t known = design() == "dsr" ? 2 * processors() : 3 * processors() - 1;
    EXPECT_EQ(done.stacks_at_start, known);
    EXPECT_EQ(done.stacks, known);
    EXPECT_EQ(used.size() + processors() - 1, known);
}

// The main thread's, and with lazy allocation two that wait for the first threads of each other
// processor: the first one needs none.
TEST_P(nanothreads_run, the_main_thread_alone_takes_one_stack) {
    if (design() != "lsa")
        GTEST_SKIP() << "what others take depends on who comes first";
    const statistics done = run(chosen(), [] {});
    EXPECT_EQ(done.stacks, (processors() - 1) + 2 * (processors() - 1) + 1);
}

// A run whose threads all wait at once, for ever. The blocks of their stacks.
std::set<char *> blocks_of_a_deadlock(const options &chosen) {
    std::set<char *> used;
    EXPECT_THROW(run(chosen,
                     [&] {
                         for (int i = 0; i < 10; ++i)
                             fork([&] {
                                 used.insert(
                                     stacks::block_of(__builtin_frame_address(0), sg_nt_mask + 1));
                                 block();
                             });
                         join();
                     }),
                 std::system_error);
    return used;
}

// What a run has used, even what its threads were left on, is for the next.
TEST_P(nanothreads_run, a_second_run_takes_the_stacks_of_the_first) {
    if (processors() != 1)
        GTEST_SKIP() << "one processor runs all";
    stacks::drop_unused();
    const std::set<char *> first = blocks_of_a_deadlock(chosen());
    EXPECT_EQ(first.size(), 10u);
    for (char *each : first)
        EXPECT_NE(stacks::find_guard(each).which, nullptr) << "it is still mapped";
    const std::set<char *> second = blocks_of_a_deadlock(chosen());
    std::vector<char *> both;
    std::set_intersection(first.begin(), first.end(), second.begin(), second.end(),
                          std::back_inserter(both));
    EXPECT_GE(both.size(), 8u);
}

// Forks a tree; how many leaves it has. Who joins may go on elsewhere, and is still itself.
int leaves_of(int height) {
    if (height == 0)
        return 1;
    thread *const me = self();
    int left = 0;
    int right = 0;
    fork([&left, height] { left = leaves_of(height - 1); });
    fork([&right, height] { right = leaves_of(height - 1); });
    join();
    EXPECT_EQ(self(), me);
    return left + right;
}

TEST_P(nanothreads_run, several_at_once) {
    std::vector<std::thread> programs;
    for (int i = 0; i < 3; ++i)
        programs.emplace_back([&] {
            for (int round = 0; round < 5; ++round) {
                int leaves = 0;
                run(chosen(), [&] { leaves = leaves_of(6); });
                EXPECT_EQ(leaves, 64);
            }
        });
    for (std::thread &program : programs)
        program.join();
}

TEST_P(nanothreads_run, one_within_another) {
    int outer = 0;
    run(chosen(), [&] {
        std::atomic<int> inner{0};
        for (int i = 0; i < 3; ++i)
            fork([&] {
                thread *const me = self();
                const int here = sg_nt_processor();
                int leaves = 0;
                run(chosen(), [&] { leaves = leaves_of(4); });
                inner += leaves;
                EXPECT_EQ(self(), me);
                EXPECT_EQ(sg_nt_processor(), here);
            });
        outer = leaves_of(4);
        join();
        EXPECT_EQ(inner, 48);
    });
    EXPECT_EQ(outer, 16);
}

TEST_P(nanothreads_run, only_who_waits_takes_another_stack) {
    if (processors() != 1)
        GTEST_SKIP() << "counts what one processor does";
    constexpr std::size_t waiting = 20;
    const statistics done = run(chosen(), [&] {
        std::vector<thread *> blocked;
        for (std::size_t i = 0; i < waiting; ++i)
            blocked.push_back(fork([] { block(); }));
        yield();
        for (int i = 0; i < 100; ++i)
            create([] {});
        yield();
        for (thread *const t : blocked)
            unblock(t);
        join();
    });
    // The main thread's, one for each that blocks, and one for those that end.
    if (design() != "dos")
        EXPECT_EQ(done.stacks, 2 + waiting);
    else
        EXPECT_GE(done.stacks, 101 + waiting);
}

TEST_P(nanothreads_run, threads_that_begin_reuse_the_stack) {
    if (design() != "dsr" || processors() != 1)
        GTEST_SKIP() << "is what direct reuse on one processor does";
    std::set<const void *> frames;
    run(chosen(), [&] {
        for (int i = 0; i < 100; ++i)
            fork([&] { frames.insert(__builtin_frame_address(0)); });
        join();
    });
    EXPECT_EQ(frames.size(), 1U);
}

TEST_P(nanothreads_run, descriptors_are_recycled) {
    const statistics done = run(chosen(), [] {
        for (int i = 0; i < 2000; ++i) {
            fork([] {});
            join();
        }
    });
    // Those that rest on a processor may be missed by another.
    EXPECT_LE(done.descriptors, 1 + 3 * 64 * processors());
}

TEST_P(nanothreads_run, closures_are_destroyed_once) {
    const auto counted = std::make_shared<int>(0);
    std::atomic<int> ran{0};
    run(chosen(), [&] {
        for (int i = 0; i < 100; ++i)
            fork([counted, &ran] { ran += *counted + 1; });
        join();
        EXPECT_EQ(counted.use_count(), 1);
    });
    EXPECT_EQ(ran, 100);
}

TEST_P(nanothreads_run, runs_follow_each_other) {
    for (int i = 0; i < 3; ++i) {
        std::atomic<int> ran{0};
        run(chosen(), [&] {
            for (int k = 0; k < 10; ++k)
                fork([&] { ++ran; });
        });
        EXPECT_EQ(ran, 10);
    }
}

// Each sets another rounding mode than its caller's, and finds it after others have run.
TEST_P(nanothreads_run, each_thread_keeps_its_rounding) {
    const test::rounding callers(FE_UPWARD);
    std::atomic<int> wrong{0};
    const auto expect_mode = [&](int mode) { wrong += test::rounds(mode) ? 0 : 1; };
    run(chosen(), [&] {
        for (int i = 0; i < 20; ++i)
            fork([&, i] {
                expect_mode(FE_UPWARD);
                const int mine = i % 2 == 0 ? FE_DOWNWARD : FE_UPWARD;
                std::fesetround(mine);
                for (int k = 0; k < 5; ++k) {
                    yield();
                    expect_mode(mine);
                }
                fork([&] {
                    expect_mode(FE_UPWARD);
                    std::fesetround(FE_TONEAREST); // as it is left at the end
                });
                join();
                expect_mode(mine);
            });
        std::fesetround(FE_TONEAREST);
        join();
        expect_mode(FE_TONEAREST);
    });
    EXPECT_EQ(wrong, 0);
    EXPECT_TRUE(test::rounds(FE_UPWARD));
}

SG_ON_EACH_DESIGN(nanothreads_run);

TEST(nanothreads_order, the_newest_runs_first) {
    std::vector<int> order;
    run({.processors = 1}, [&] {
        for (int i = 0; i < 4; ++i)
            fork([&order, i] { order.push_back(i); });
        join();
    });
    EXPECT_EQ(order, (std::vector<int>{3, 2, 1, 0}));
}

// The successor of threads that end one after the other is told before anything runs that is not
// one of its predecessors, and at the latest then.
TEST(nanothreads_order, a_join_ends_before_other_threads_run) {
    std::vector<char> order;
    run({.processors = 1}, [&] {
        for (int i = 0; i < 2; ++i)
            create([&order] { order.push_back('x'); });
        for (int i = 0; i < 3; ++i)
            fork([&order] { order.push_back('f'); });
        join();
        order.push_back('m');
    });
    EXPECT_EQ(std::string(order.begin(), order.end()), "fffxmx");
}

TEST(nanothreads_order, who_yields_runs_last) {
    std::vector<int> order;
    run({.processors = 1}, [&] {
        for (int i = 0; i < 3; ++i)
            fork([&order, i] {
                for (int k = 0; k < 3; ++k) {
                    order.push_back(i);
                    yield();
                }
            });
        join();
    });
    EXPECT_EQ(order, (std::vector<int>{2, 1, 0, 2, 1, 0, 2, 1, 0}));
}

// ---- In a task ----

TEST_P(nanothreads_run, in_a_task_is_like_any_other) {
    const auto forks = [] {
        for (int i = 0; i < 100; ++i)
            fork([] {});
        join();
    };
    const statistics outside = run(chosen(), forks);
    const statistics in_task = saguaro::run([&] { return run(chosen(), forks); });
    EXPECT_EQ(in_task.created, 101U);
    EXPECT_EQ(in_task.stacks_at_start, outside.stacks_at_start);
    if (processors() == 1)
        EXPECT_EQ(in_task.stacks, outside.stacks);
}

// In a blocking scope, on one worker as well.
TEST_P(nanothreads_run, in_a_task_lets_others_work) {
    std::atomic<bool> went_on{false};
    saguaro::run([&] {
        saguaro::scope s;
        s.spawn([&] {
            const saguaro::blocking wait;
            run(chosen(), [&] {
                while (!went_on)
                    sched_yield();
            });
        });
        went_on = true;
        s.sync();
    });
}

// Their threads are no workers: what they spawn is their own.
TEST_P(nanothreads_run, in_a_task_may_run_tasks) {
    std::atomic<int> right{0};
    saguaro::run([&] {
        run(chosen(), [&] {
            for (int i = 0; i < 4; ++i)
                fork([&] {
                    const bool is_none = saguaro::worker_id() == -1;
                    right += saguaro::run([&] {
                        int left = 0, other = 0;
                        saguaro::parallel_invoke([&] { left = 1; }, [&] { other = 1; });
                        return is_none && saguaro::worker_id() >= 0 && left + other == 2;
                    });
                });
            join();
        });
        right += saguaro::worker_id() >= 0 ? 1 : 0;
    });
    EXPECT_EQ(right, 5);
}

// The processor of the task that waits is for the runtime's other thread, though that sleeps: of
// the two roots that are under way only one computes.
TEST_P(nanothreads_run, in_a_task_leaves_its_processor_to_others) {
    stop();
    start({.workers = 2});
    for (int i = 0; i < 3; ++i)
        saguaro::run([&] {
            run(chosen(), [] {
                std::atomic<bool> is_sent{false};
                const auto receive = [&] {
                    while (!is_sent)
                        sched_yield();
                };
                while (scheduler::running()->seating().sleepers() == 0)
                    sched_yield();
                saguaro::run([&] { parallel_invoke(receive, [&] { is_sent = true; }); });
            });
        });
    stop();
}

TEST(nanothreads_threads, are_kept_for_the_next_run_until_stop) {
    stop();
    EXPECT_EQ(platform::resting_threads(), 0U);
    for (int i = 0; i < 3; ++i) {
        run({.processors = 3}, [] {});
        EXPECT_EQ(platform::resting_threads(), 2U);
    }
    run({.processors = 1}, [] {});
    EXPECT_EQ(platform::resting_threads(), 2U);
    stop();
    EXPECT_EQ(platform::resting_threads(), 0U);
}

} // namespace

} // namespace saguaro::nt
