// SPDX-License-Identifier: MIT
// Steals for which there is no memory: the thief has found nothing, the victim goes on, and when
// there is memory again the same is stolen. Starts for which there is none. Allocations that may
// fail are the program's own operator new here, which refuses when a test says so.
#include "forkjoin/forcing.hpp"

#include "saguaro/saguaro.hpp"
#include "support/death_style.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <mutex>
#include <new>
#include <thread>
#include <utility>
#include <vector>

namespace {

std::atomic<bool> refuses{false};
std::atomic<int> refused{0};
// How many allocations there will be before one that fails, or all from there on; less than 0: all
// that come succeed.
std::atomic<long> before_refusal{-1};
bool refuses_the_rest = false;

bool is_refused() {
    if (before_refusal < 0)
        return false;
    const long before = before_refusal--;
    if (before == 0 && refuses_the_rest)
        before_refusal = 0;
    return before == 0;
}

// Called once.
std::function<void()> at_next_allocation;

} // namespace

void *operator new(std::size_t bytes, const std::nothrow_t &) noexcept {
    if (at_next_allocation)
        std::exchange(at_next_allocation, nullptr)();
    if (refuses) {
        ++refused;
        return nullptr;
    }
    return is_refused() ? nullptr : std::malloc(bytes);
}

void *operator new(std::size_t bytes) {
    if (void *const memory = is_refused() ? nullptr : std::malloc(bytes))
        return memory;
    throw std::bad_alloc();
}

void *operator new(std::size_t bytes, std::align_val_t alignment) {
    const auto unit = static_cast<std::size_t>(alignment);
    if (void *const memory =
            is_refused() ? nullptr : std::aligned_alloc(unit, (bytes + unit - 1) / unit * unit))
        return memory;
    throw std::bad_alloc();
}

void operator delete(void *memory) noexcept {
    std::free(memory);
}

void operator delete(void *memory, std::size_t) noexcept {
    std::free(memory);
}

void operator delete(void *memory, std::align_val_t) noexcept {
    std::free(memory);
}

void operator delete(void *memory, std::size_t, std::align_val_t) noexcept {
    std::free(memory);
}

namespace {

using namespace saguaro::test;

// A steal that cannot be, then the same with memory.
void be_robbed_when_there_is_memory() {
    refused = 0;
    refuses = true;
    wait_until([] {
        EXPECT_FALSE(force_steal(std::chrono::milliseconds(20)));
        return refused > 0;
    });
    refuses = false;
    EXPECT_TRUE(force_steal());
}

TEST(no_memory, for_the_part_of_a_loop) {
    const scripted_workers workers(2);
    std::vector<int> runs(100);
    std::mutex lock;
    saguaro::run([&] {
        saguaro::parallel_for(0, 100, [&](int i) {
            if (i == 0)
                be_robbed_when_there_is_memory();
            const std::lock_guard guard(lock);
            ++runs[static_cast<std::size_t>(i)];
        });
    });
    EXPECT_EQ(runs, std::vector<int>(100, 1));
}

TEST(no_memory, for_the_strand_of_a_scope) {
    const scripted_workers workers(2);
    std::atomic<int> ended{0};
    saguaro::run([&] {
        for (int turn = 0; turn < 3; ++turn) {
            saguaro::scope s;
            s.spawn([&] {
                be_robbed_when_there_is_memory();
                ++ended;
            });
            s.spawn([&] { ++ended; });
            s.sync();
        }
    });
    EXPECT_EQ(ended, 6);
}

// A child that ends apart from its parent, with a view, while the parent runs.
void end_apart_with_a_view(const std::function<void()> &at_its_end) {
    const scripted_workers workers(2);
    saguaro::reducer<saguaro::add<int>> number;
    saguaro::run([&] {
        std::atomic<bool> is_at_its_end{false};
        saguaro::scope s;
        s.spawn([&] {
            EXPECT_TRUE(force_steal());
            *number += 1;
            at_its_end();
            is_at_its_end = true;
        });
        wait_until([&] { return is_at_its_end.load(); });
        wait_for_the_thief();
        *number += 1;
        s.sync();
    });
    EXPECT_EQ(number.get(), 2);
}

// There is some for the views, but none for what stands in for the child.
TEST(no_memory_death, for_what_keeps_the_views_of_a_child_is_said) {
    use_threadsafe_style();
    const auto refuse_the_second = [] {
        at_next_allocation = [] { at_next_allocation = [] { refuses = true; }; };
    };
    EXPECT_EXIT(end_apart_with_a_view(refuse_the_second), testing::ExitedWithCode(1),
                "saguaro: no memory for the views of a child");
}

// A run that ends while another one holds the reducer leaves its view.
TEST(no_memory_death, for_the_views_that_a_run_leaves_is_said) {
#if !defined(SG_TEST_EMULATED)
    GTEST_FLAG_SET(death_test_style, "threadsafe");
#endif
    const auto leave_a_view = [] {
        saguaro::reducer<saguaro::add<int>> number;
        std::atomic<bool> is_held{false};
        std::thread([&] {
            saguaro::run([&] {
                *number += 1;
                is_held = true;
                for (;;)
                    sched_yield();
            });
        }).detach();
        wait_until([&] { return is_held.load(); });
        saguaro::run([&] {
            *number += 1;
            refuses = true;
        });
    };
    EXPECT_EXIT(leave_a_view(), testing::ExitedWithCode(1),
                "^saguaro: no memory for the views that a run leaves\n$");
}

// Others that arrive need the join's lock, and the program's operator new may take long.
TEST(memory, for_the_views_of_a_child_comes_without_a_lock) {
    std::thread asks;
    std::atomic<bool> answered{false};
    bool was_answered = false;
    end_apart_with_a_view([&] {
        at_next_allocation = [&, j = saguaro::scheduler::current_deque()->strand.parent] {
            asks = std::thread([&, j] {
                j->only_owner_is_out();
                answered = true;
            });
            const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(60);
            while (!answered && std::chrono::steady_clock::now() < deadline)
                sched_yield();
            was_answered = answered;
        };
    });
    ASSERT_TRUE(asks.joinable()) << "nothing was allocated";
    asks.join();
    EXPECT_TRUE(was_answered);
}

// Each allocation of a start in turn. It says so, or has done without, and the next start works.
TEST(no_memory, for_a_start_is_an_error) {
    sg_options options{};
    options.workers = 3;
    for (const bool the_rest : {false, true}) {
        refuses_the_rest = the_rest;
        bool was_refused = true;
        for (long n = 0; was_refused; ++n) {
            before_refusal = n;
            const int error = sg_start(&options);
            was_refused = the_rest ? before_refusal == 0 : before_refusal < 0;
            before_refusal = -1;
            ASSERT_TRUE(error == 0 || (was_refused && error == EAGAIN)) << n << ": " << error;
            if (error != 0)
                ASSERT_EQ(sg_start(&options), 0) << n;
            EXPECT_EQ(saguaro::workers(), 3U);
            ASSERT_EQ(sg_stop(), 0);
            ASSERT_LT(n, 10'000);
        }
    }
}

// The first run's: it does with fewer workers, or the program ends with a line.
TEST(no_memory_death, for_a_first_run_is_said) {
#if !defined(SG_TEST_EMULATED)
    GTEST_FLAG_SET(death_test_style, "threadsafe");
#endif
    const auto run_without = [](long n, bool the_rest) {
        setenv("SAGUARO_WORKERS", "3", 1);
        refuses_the_rest = the_rest;
        before_refusal = n;
        int ran = 0;
        sg_run([](void *argument) { ++*static_cast<int *>(argument); }, &ran);
        before_refusal = -1;
        std::fprintf(stderr, "has run\n");
        std::_Exit(ran);
    };
    for (const long n : {0, 3})
        EXPECT_EXIT(run_without(n, true), testing::ExitedWithCode(2),
                    "^saguaro: cannot start one worker: no memory for .+\n$");
    EXPECT_EXIT(run_without(30, false), testing::ExitedWithCode(1),
                "^(saguaro: only .+\n)?has run\n$");
}

// The first spawn outside of a run is the first to ask what the machine is like.
TEST(no_memory_death, for_a_first_spawn_outside_is_said) {
#ifdef SG_TEST_EMULATED
    GTEST_SKIP() << "a program begun anew does not run in the emulator, and others have asked";
#endif
    use_threadsafe_style();
    const auto spawn_without = [](long n) {
        refuses_the_rest = false;
        saguaro::scope s;
        before_refusal = n;
        s.spawn([] {});
        before_refusal = -1;
        std::fprintf(stderr, "has spawned\n");
        std::_Exit(0);
    };
    for (const long n : {1, 5})
        EXPECT_EXIT(spawn_without(n), testing::ExitedWithCode(1),
                    "^saguaro: no memory for what a scope keeps of its children\n$");
}

TEST(no_memory, is_needed_for_no_closure) {
    const scripted_workers workers(2);
    // The first time the thief gets the stack that it needs.
    for (const bool without : {false, true}) {
        int left = 0, right = 0;
        saguaro::run([&] {
            saguaro::parallel_invoke(
                [&] {
                    refuses = without;
                    EXPECT_TRUE(force_steal());
                    refuses = false;
                    wait_for_the_thief();
                    left = 1;
                },
                [&] { right = 2; });
        });
        EXPECT_EQ(left + right, 3);
    }
}

} // namespace
