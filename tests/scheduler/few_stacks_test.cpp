// SPDX-License-Identifier: MIT
// Tests of roots that start although the system gives no more stacks: those that there are must not
// stay with workers that have nothing to run. Also of the line that says that there is none at all.
#include "forkjoin/forcing.hpp"

#include "saguaro/saguaro.hpp"
#include "support/death_style.hpp"
#include "support/kernel_calls.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <sched.h>
#include <thread>
#include <vector>

namespace {

using namespace saguaro::test;
using namespace std::chrono_literals;
using std::chrono::steady_clock;

saguaro::stacks::pool &pool() {
    return saguaro::scheduler::running()->stacks();
}

// Two workers with a policy of steals that come when asked for; the second looks for work for
// `spin`.
class two_workers {
public:
    explicit two_workers(std::chrono::nanoseconds spin) {
        auto s = saguaro::scheduler::settings_from_environment();
        s.workers = 2;
        s.spin_ns = spin.count();
        EXPECT_EQ(saguaro::scheduler::start_with(s, std::make_unique<scripted_policy>()), 0);
    }
    ~two_workers() { EXPECT_EQ(sg_stop(), 0); }
    two_workers(const two_workers &) = delete;
    two_workers &operator=(const two_workers &) = delete;

    // Until the second one has a stack to begin with.
    static void wait_for_its_stack() {
        wait_until([] { return pool().in_use() > 0; });
    }
    static void wait_for_its_sleep() {
        wait_until([] { return worker_number(1).count.sleeps.load() > 0; });
    }
};

// Calls `task` while there are `most` stacks and no more. If that does not end, there are more in
// the end, and the test fails.
void with_stacks(std::size_t most, const std::function<void()> &task) {
    pool().limit(most);
    std::atomic<bool> done{false};
    std::thread watch([&] {
        const auto deadline = steady_clock::now() + 60s;
        while (!done && steady_clock::now() < deadline)
            std::this_thread::sleep_for(1ms);
        EXPECT_TRUE(done) << "no root begins";
        pool().limit(std::numeric_limits<std::size_t>::max());
    });
    task();
    done = true;
    watch.join();
}

TEST(few_stacks, a_worker_that_sleeps_keeps_none) {
    const two_workers workers(0ns);
    two_workers::wait_for_its_sleep();
    with_stacks(1, [] { EXPECT_EQ(saguaro::run([] { return 7; }), 7); });
}

TEST(few_stacks, a_worker_that_finds_nothing_gives_its_own_to_a_root) {
    const two_workers workers(std::chrono::hours(1));
    two_workers::wait_for_its_stack();
    with_stacks(1, [] {
        for (int i = 0; i < 10; ++i)
            EXPECT_EQ(saguaro::run([] { return 7; }), 7);
    });
}

TEST(few_stacks, a_worker_that_nobody_has_gives_its_own_to_a_root) {
    const two_workers workers(0ns);
    two_workers::wait_for_its_sleep();
    with_stacks(1, [] {
        std::atomic<bool> has_begun{false}, may_end{false};
        std::thread first([&] {
            saguaro::run([&] {
                has_begun = true;
                while (!may_end)
                    sched_yield();
            });
        });
        wait_until([&] { return has_begun.load(); });
        std::thread second([&] { EXPECT_EQ(saguaro::run([] { return 7; }), 7); });
        wait_until([] { return saguaro::scheduler::running()->root_lacks_stack(); });
        // Its worker keeps the stack, and nobody sits there any more.
        may_end = true;
        first.join();
        second.join();
        // Workers would give up their stacks for good.
        EXPECT_FALSE(saguaro::scheduler::running()->root_lacks_stack());
    });
}

// A root that waits for a stack ends the process only if no flow has one.
TEST(few_stacks, a_root_waits_for_as_long_as_a_flow_has_the_only_one) {
    const two_workers workers(0ns);
    two_workers::wait_for_its_sleep();
    with_stacks(1, [] {
        std::atomic<bool> has_begun{false};
        std::thread first([&] {
            saguaro::run([&] {
                has_begun = true;
                wait_until([] { return saguaro::scheduler::running()->root_lacks_stack(); });
                std::this_thread::sleep_for(1500ms);
            });
        });
        wait_until([&] { return has_begun.load(); });
        EXPECT_EQ(saguaro::run([] { return 7; }), 7);
        first.join();
    });
}

TEST(few_stacks, threads_get_the_only_one_in_turn) {
    const two_workers workers(0ns);
    with_stacks(1, [] {
        std::atomic<int> ended{0};
        std::vector<std::thread> threads;
        for (int i = 0; i < 4; ++i)
            threads.emplace_back([&] {
                for (int run = 0; run < 20; ++run)
                    saguaro::run([&] { ++ended; });
            });
        for (std::thread &each : threads)
            each.join();
        EXPECT_EQ(ended, 80);
    });
}

// It would fence and ask everybody each time. Its naps become longer, up to 8 ms.
TEST(few_stacks, a_thief_without_any_naps) {
    const two_workers workers(0ns);
    two_workers::wait_for_its_sleep();
    with_stacks(1, [] {
        saguaro::run([&] {
            saguaro::parallel_invoke(
                [&] {
                    const auto &sleeps = worker_number(other()).count.sleeps;
                    const auto nap = [&](std::uint64_t times) {
                        wait_until([&, before = sleeps.load()] {
                            return sleeps.load() >= before + times;
                        });
                    };
                    nap(2); // it rests no longer as while nothing ran
                    saguaro::test_support::sleeps.longest_ns = 0;
                    nap(10);
                    EXPECT_GT(saguaro::test_support::sleeps.longest_ns, 7'000'000);
                },
                [] {});
        });
    });
}

TEST(few_stacks, a_thief_without_any_steals_once_there_are_some) {
    const two_workers workers(0ns);
    two_workers::wait_for_its_sleep();
    pool().limit(1);
    saguaro::run([] {
        saguaro::parallel_invoke(
            [] {
                const auto &sleeps = worker_number(other()).count.sleeps;
                wait_until([&, before = sleeps.load()] { return sleeps.load() > before + 2; });
                pool().limit(std::numeric_limits<std::size_t>::max());
                EXPECT_TRUE(force_steal());
            },
            [] {});
    });
}

TEST(few_stacks_death, that_there_is_none_is_said) {
    use_threadsafe_style();
    EXPECT_EXIT(
        {
            const two_workers workers(0ns);
            two_workers::wait_for_its_sleep();
            pool().limit(0);
            saguaro::run([] {});
        },
        testing::ExitedWithCode(1), "saguaro: no more stacks: there are [0-9]+ of ");
}

} // namespace
