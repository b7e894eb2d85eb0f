// SPDX-License-Identifier: MIT
// Tests of run: results, exceptions, nesting and threads that enter.
#include "saguaro/run.hpp"

#include "run_from_c.h"
#include "saguaro/monoids.hpp"
#include "saguaro/parallel_for.hpp"
#include "saguaro/parallel_invoke.hpp"
#include "saguaro/reducer.hpp"
#include "saguaro/scope.hpp"
#include "stacks/sanitizers.hpp"
#include "support/started.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <type_traits>
#include <vector>

namespace saguaro {
namespace {

using test::fib;
using test::on_threads;
using test::started;

// ---- What goes in and out ----

TEST(run, results) {
    const started two(2);
    EXPECT_EQ(run([] { return 42; }), 42);
    EXPECT_EQ(run([] { return std::string(1000, 'x'); }), std::string(1000, 'x'));
    const std::unique_ptr<int> moved = run([] { return std::make_unique<int>(7); });
    EXPECT_EQ(*moved, 7);
    static_assert(std::is_void_v<decltype(run([] {}))>);
    bool called = false;
    run([&] { called = true; });
    EXPECT_TRUE(called);
}

// A reference is copied, or it could refer to what is gone.
TEST(run, results_that_are_references_become_values) {
    const started two(2);
    std::string text = "before";
    const auto get = [&]() -> std::string & { return text; };
    static_assert(std::is_same_v<decltype(run(get)), std::string>);
    const std::string copy = run(get);
    text = "after";
    EXPECT_EQ(copy, "before");
}

TEST(run, functions_are_called_as_they_are_given) {
    const started two(2);
    struct function {
        std::unique_ptr<int> owned = std::make_unique<int>(1); // not copyable
        int operator()() & { return 1; }
        int operator()() && { return 2; }
        int operator()() const & { return 3; }
    } f;
    EXPECT_EQ(run(f), 1);
    EXPECT_EQ(run(std::move(f)), 2);
    EXPECT_EQ(run(std::as_const(f)), 3);
    EXPECT_NE(f.owned, nullptr) << "nobody moved it anywhere";
}

TEST(run, exceptions) {
    const started two(2);
    for (int i = 0; i < 20; ++i)
        try {
            run([i]() -> int { throw std::runtime_error(std::to_string(i)); });
            FAIL();
        } catch (const std::runtime_error &error) {
            EXPECT_EQ(error.what(), std::to_string(i));
        }
    EXPECT_EQ(run([] { return 1; }), 1) << "and it goes on";
    // One that is caught inside stays inside.
    EXPECT_EQ(run([] {
                  try {
                      run([] { throw 5; });
                  } catch (int caught) {
                      return caught;
                  }
                  return 0;
              }),
              5);
}

TEST(run, is_a_plain_call_on_a_worker) {
    const started two(2);
    run([] {
        const int worker = worker_id();
        const std::thread::id thread = std::this_thread::get_id();
        char here = 0;
        run([&] {
            EXPECT_EQ(worker_id(), worker);
            EXPECT_EQ(std::this_thread::get_id(), thread);
            char there = 0;
            const auto apart = std::abs(&here - &there);
            // AddressSanitizer's locals are elsewhere.
            EXPECT_TRUE(SG_ADDRESS_SANITIZER || apart < 65536) << "on the same stack: " << apart;
        });
    });
}

TEST(run, works_from_c) {
    const started two(2);
    EXPECT_EQ(sum_in_nested_runs(0), 0);
    EXPECT_EQ(sum_in_nested_runs(100), 5050);
    EXPECT_EQ(run([] { return sum_in_nested_runs(10); }), 55);
}

// ---- Who runs it ----

TEST(run, worker_ids_are_those_of_the_workers) {
    const started three(3);
    EXPECT_EQ(worker_id(), -1);
    EXPECT_EQ(workers(), 3U);
    std::atomic<unsigned> seen{0};
    std::atomic<int> wrong{0};
    for (int i = 0; i < 50; ++i)
        run([&] {
            EXPECT_EQ(workers(), 3U);
            parallel_for(0, 300, [&](int) {
                const int id = worker_id();
                if (id < 0 || id >= 3)
                    ++wrong;
                else
                    seen |= 1U << id;
            });
        });
    EXPECT_EQ(wrong, 0);
    EXPECT_NE(seen, 0U);
    EXPECT_EQ(worker_id(), -1);
}

TEST(run, many_threads_at_once) {
    const started three(3);
    constexpr int threads = 16;
    constexpr int runs = 50;
    reducer<add<long>> total;
    std::atomic<int> wrong{0};
    on_threads(threads, [&](int number) {
        for (int i = 0; i < runs; ++i) {
            reducer<string_append> own;
            const long x = run([&] {
                *total += 1;
                scope s;
                for (int j = 0; j < 4; ++j)
                    s.spawn([&, j] {
                        *own += static_cast<char>('a' + j);
                        *total += 1;
                    });
                const long result = fib(6 + number % 3);
                s.sync();
                *own += 'e';
                return result;
            });
            const long expected[] = {8, 13, 21};
            if (x != expected[number % 3] || own.get() != "abcde")
                ++wrong;
        }
    });
    EXPECT_EQ(wrong, 0);
    EXPECT_EQ(total.get(), threads * runs * 5L);
}

// Each run's contribution is whole; the runs themselves come in any order.
TEST(run, runs_at_once_share_a_reducer_without_mixing) {
    const started two(2);
    reducer<vector_append<int>> all;
    on_threads(4, [&](int number) {
        for (int i = 0; i < 30; ++i)
            run([&] {
                parallel_for(0, 5, [&](int k) { all->push_back(number * 1000 + i * 10 + k); });
            });
    });
    const std::vector<int> values = all.take();
    ASSERT_EQ(values.size(), 4U * 30 * 5);
    std::vector<int> next(4, 0);
    for (std::size_t at = 0; at < values.size(); at += 5) {
        const int number = values[at] / 1000;
        for (int k = 0; k < 5; ++k)
            ASSERT_EQ(values[at + static_cast<std::size_t>(k)],
                      number * 1000 + next[static_cast<std::size_t>(number)] * 10 + k)
                << "the serial order within a run, and of one thread's runs";
        ++next[static_cast<std::size_t>(number)];
    }
}

// The thread that a task creates is no worker and enters as any other.
TEST(run, threads_created_in_tasks_enter_like_others) {
    const started two(2);
    for (int i = 0; i < 20; ++i) {
        int outside = 0;
        long result = 0;
        unsigned here_before = 0, here_after = 0;
        run([&] {
            here_before = static_cast<unsigned>(worker_id());
            // It keeps this worker until the thread has ended; the other one does the work.
            std::thread([&] {
                outside = worker_id();
                result = run([] { return fib(10); });
            }).join();
            here_after = static_cast<unsigned>(worker_id());
        });
        EXPECT_EQ(outside, -1);
        EXPECT_EQ(result, 55);
        EXPECT_EQ(here_before, here_after) << "the task is where it was";
    }
}

// ---- Starting and stopping ----

TEST(start_and_stop, again_and_again_with_other_numbers) {
    const reducer<add<long>> unused; // lives through all of it
    reducer<add<long>> total;
    for (const unsigned count : {1U, 4U, 2U, 1U, 8U, 3U}) {
        const started some(count);
        EXPECT_EQ(workers(), count);
        EXPECT_EQ(run([] { return fib(12); }), 144);
        parallel_for(0, 100, [&](int) { *total += 1; });
    }
    EXPECT_EQ(total.get(), 600);
    EXPECT_EQ(unused.get(), 0);
}

TEST(start_and_stop, at_once) {
    for (int i = 0; i < 30; ++i)
        const started some(3); // no worker has had time to do anything
}

TEST(start_and_stop, without_a_start_the_environment_counts) {
    setenv("SAGUARO_WORKERS", "3", 1);
    EXPECT_EQ(workers(), 3U) << "those that would be started";
    EXPECT_EQ(run([] { return workers(); }), 3U);
    setenv("SAGUARO_WORKERS", "2", 1);
    EXPECT_EQ(workers(), 3U) << "those that run";
    EXPECT_EQ(sg_stop(), 0);
    EXPECT_EQ(workers(), 2U);
    unsetenv("SAGUARO_WORKERS");
}

TEST(start_and_stop, not_while_something_runs) {
    start({.workers = 2});
    std::atomic<bool> inside{false}, leave{false};
    std::thread other([&] {
        run([&] {
            inside = true;
            while (!leave)
                std::this_thread::yield();
        });
    });
    while (!inside)
        std::this_thread::yield();
    EXPECT_EQ(sg_stop(), EBUSY);
    EXPECT_THROW(stop(), std::system_error);
    leave = true;
    other.join();
    EXPECT_EQ(sg_stop(), 0);
}

TEST(start_and_stop, not_from_a_worker) {
    const started two(2);
    EXPECT_EQ(run([] { return sg_stop(); }), EBUSY);
    EXPECT_EQ(run([] { return sg_start(nullptr); }), EBUSY);
    EXPECT_EQ(run([] { return fib(10); }), 55);
}

TEST(start_and_stop, statistics_begin_anew) {
    for (int i = 0; i < 2; ++i) {
        start({.workers = 1, .statistics = true});
        EXPECT_EQ(run([] { return fib(10); }), 55);
        EXPECT_EQ(stats().spawns, 88U) << "one for each call but the leaves";
        EXPECT_EQ(stats().steals, 0U);
        EXPECT_GT(stats().work_seconds, 0.0) << "complete when the run has ended";
        stop();
        EXPECT_EQ(stats().spawns, 0U) << "nothing runs";
    }
}

} // namespace
} // namespace saguaro
