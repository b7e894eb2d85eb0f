// SPDX-License-Identifier: MIT
// The C entry points, by clones written by hand: result slots, suspended calls and parked plain-C
// callers, each with a steal forced at that very point and in both orders of who links first.
#include "clones.h"

#include "saguaro/saguaro.hpp"
#include "support/fib_clones.h"
#include "support/scripted_policy.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <functional>
#include <numeric>
#include <optional>
#include <random>
#include <thread>
#include <vector>

namespace {

using saguaro::test::force_steal;
using saguaro::test::scripted_workers;

void wait_until(const std::atomic<bool> &flag) {
    while (!flag.load())
        sched_yield();
}

// Workers of their own, and `f` at each point. To be made after the variables that `f` uses: a slow
// clone may still be on its way out of its last point when its result is there, and when the object
// goes, the workers have ended.
class hooked_workers {
public:
    hooked_workers(unsigned number, std::function<void(test_point, int)> f) {
        on_point = std::move(f);
        test_hook = [](test_point point, int tag) { on_point(point, tag); };
        workers_.emplace(number);
    }
    ~hooked_workers() {
        workers_.reset();
        test_hook = nullptr;
    }
    hooked_workers(const hooked_workers &) = delete;
    hooked_workers &operator=(const hooked_workers &) = delete;

private:
    static inline std::function<void(test_point, int)> on_point;
    std::optional<scripted_workers> workers_;
};

TEST(clones, run_serially_when_nobody_steals) {
    const scripted_workers workers(2);
    const auto [pair, deep] =
        saguaro::run([] { return std::pair(test_pair(0), test_three_deep(0)); });
    EXPECT_EQ(pair, 12);
    EXPECT_EQ(deep, 11112);
    EXPECT_EQ(saguaro::stats().steals, 0u);
}

TEST(clones, enter_the_workers_from_outside) {
    const scripted_workers workers(2);
    EXPECT_EQ(test_pair(0), 12);
    EXPECT_EQ(test_fib(10), 55);
    EXPECT_EQ(test_nqueens(6), 4);
}

// The child's result goes to the stolen copy of the frame, not to the victim's.
TEST(clones, hand_the_result_to_the_stolen_frame) {
    std::atomic<int> robberies{0};
    const hooked_workers workers(2, [&](test_point point, int) {
        if (point == point_in_child)
            robberies += force_steal();
    });
    EXPECT_EQ(saguaro::run([] { return test_pair(0); }), 12);
    EXPECT_EQ(robberies, 1);
    EXPECT_EQ(saguaro::stats().full_frames, 1u);
}

TEST(clones, hand_over_a_result_of_many_words) {
    std::atomic<int> robberies{0};
    const hooked_workers workers(2, [&](test_point, int) { robberies += force_steal(); });
    const test_wide w = saguaro::run([] { return test_wide_pair(0); });
    for (int i = 0; i < 8; ++i)
        EXPECT_EQ(w.value[i], 108 - i);
    EXPECT_EQ(robberies, 1);
}

// The child ends first: the thief finds it ended at its sync. Then the other way round.
TEST(clones, sync_in_both_orders) {
    for (const bool child_first : {true, false}) {
        std::atomic<bool> child_ended{false}, behind{false};
        std::atomic<int> robberies{0};
        const hooked_workers workers(2, [&](test_point point, int) {
            if (point == point_in_child) {
                robberies += force_steal();
                if (!child_first)
                    wait_until(behind);
            } else if (point == point_before_await) {
                child_ended = true;
            } else if (point == point_behind_spawn) {
                behind = true;
                if (child_first)
                    wait_until(child_ended);
            }
        });
        EXPECT_EQ(saguaro::run([] { return test_pair(0); }), 12);
        EXPECT_EQ(robberies, 1);
    }
}

// The callers of a function that was taken save themselves on the way down: they link first.
TEST(clones, suspend_three_callers_that_link_first) {
    std::atomic<bool> suspended{false};
    const hooked_workers workers(2, [&](test_point point, int) {
        if (point == point_in_child)
            EXPECT_TRUE(force_steal());
        else if (point == point_behind_spawn)
            wait_until(suspended);
        else if (point == point_before_await)
            suspended = true;
    });
    EXPECT_EQ(saguaro::run([] { return test_three_deep(0); }), 11112);
    // The taken frame and three saved callers.
    EXPECT_EQ(saguaro::stats().full_frames, 4u);
}

// The function that was taken ends before its caller at `level` links: the caller goes on.
TEST(clones, find_the_callee_ended) {
    for (int level = 0; level < 3; ++level) {
        std::atomic<bool> ended{false}, waiting{false};
        const hooked_workers workers(2, [&](test_point point, int at) {
            if (point == point_in_child)
                EXPECT_TRUE(force_steal());
            else if (point == point_behind_spawn)
                wait_until(waiting);
            else if (point == point_ended)
                ended = true;
            else if (point == point_before_suspend && at == level) {
                waiting = true;
                // Only the innermost caller waits for the taken frame itself.
                if (level == 0)
                    wait_until(ended);
                else
                    std::this_thread::sleep_for(std::chrono::milliseconds(20));
            }
        });
        EXPECT_EQ(saguaro::run([] { return test_three_deep(0); }), 11112) << level;
    }
}

// A plain C caller cannot be saved: its stack is parked, or not, if the callee has ended.
TEST(clones, await_in_both_orders) {
    for (const bool callee_first : {true, false}) {
        std::atomic<bool> ended{false}, awaiting{false};
        const hooked_workers workers(2, [&](test_point point, int) {
            if (point == point_in_child)
                EXPECT_TRUE(force_steal());
            else if (point == point_behind_spawn)
                wait_until(awaiting);
            else if (point == point_ended)
                ended = true;
            else if (point == point_before_await) {
                awaiting = true;
                if (callee_first)
                    wait_until(ended);
            }
        });
        EXPECT_EQ(saguaro::run([] { return test_pair(0) + 100 * test_pair(0); }), 1212);
    }
}

// The views of a function that was taken reach whoever waits for it, in serial order: by a link, or
// by being found ended, at a call, at an entry and at a spawn.
class views_of_clones : public testing::TestWithParam<bool> {
protected:
    // The children and continuations append what the serial program would: 1, 2, ...
    saguaro::reducer<saguaro::vector_append<int>> order;
    std::atomic<bool> ended{false}, waiting{false};

    // What happens at the point where somebody is about to wait.
    void about_to_wait() {
        waiting = true;
        if (GetParam())
            wait_until(ended);
    }

    // What happens behind the spawn: not before somebody waits, or is about to.
    void behind_spawn(int number) {
        wait_until(waiting);
        if (!GetParam())
            std::this_thread::sleep_for(std::chrono::milliseconds(20));
        order->push_back(number);
    }
};

TEST_P(views_of_clones, follow_a_call_and_an_entry) {
    for (const bool call : {true, false}) {
        ended = waiting = false;
        const hooked_workers workers(2, [&](test_point point, int tag) {
            if (point == point_in_child) {
                EXPECT_TRUE(force_steal());
                order->push_back(1);
            } else if (point == point_behind_spawn) {
                behind_spawn(2);
            } else if (point == point_ended) {
                ended = true;
            } else if (point == (call ? point_before_suspend : point_before_await) && tag == 0) {
                about_to_wait();
            }
        });
        saguaro::run([&] {
            EXPECT_EQ(call ? test_three_deep(0) : test_pair(0), call ? 11112 : 12);
            order->push_back(3);
        });
        EXPECT_EQ(order.take(), (std::vector<int>{1, 2, 3})) << call;
    }
}

TEST_P(views_of_clones, follow_a_spawn) {
    const hooked_workers workers(3, [&](test_point point, int tag) {
        if (point == point_in_child) {
            // First the older frame, then pair's.
            EXPECT_TRUE(force_steal());
            EXPECT_TRUE(force_steal());
            order->push_back(1);
        } else if (point == point_behind_spawn && tag == 0) {
            behind_spawn(2);
        } else if (point == point_behind_spawn) {
            order->push_back(3);
        } else if (point == point_ended && tag == 0) {
            ended = true;
        } else if (point == point_before_handover) {
            about_to_wait();
        }
    });
    saguaro::run([&] {
        EXPECT_EQ(test_nested_spawn(0), 1205);
        order->push_back(4);
    });
    EXPECT_EQ(order.take(), (std::vector<int>{1, 2, 3, 4}));
}

INSTANTIATE_TEST_SUITE_P(callee_first, views_of_clones, testing::Bool());

// libc's qsort on the stack, parked in the middle of comparisons.
TEST(clones, park_the_stack_of_libc) {
    std::vector<int> numbers(30);
    std::iota(numbers.begin(), numbers.end(), 0);
    std::shuffle(numbers.begin(), numbers.end(), std::mt19937(1));
    std::atomic<int> robberies{0};
    const hooked_workers workers(2, [&](test_point point, int) {
        if (point == point_in_child)
            robberies += force_steal();
    });
    saguaro::run([&] { test_qsort(numbers.data(), static_cast<int>(numbers.size()), 0); });
    EXPECT_TRUE(std::is_sorted(numbers.begin(), numbers.end()));
    EXPECT_GT(robberies, 50);
    EXPECT_GT(saguaro::stats().parks, 0u);
}

// An ordinary entry on a stack with older frames of its own: those are taken first, and the park in
// between leaves the rest alone.
TEST(clones, await_above_older_frames) {
    const hooked_workers workers(2, [&](test_point point, int) {
        if (point == point_in_child)
            while (force_steal(std::chrono::milliseconds(200))) {
            }
    });
    const auto work = [] {
        auto [a, b] = saguaro::parallel_invoke([] { return test_three_deep(0); },
                                               [] { return test_pair(0); });
        return a + b;
    };
    EXPECT_EQ(saguaro::run([&] {
                  auto [x, y] = saguaro::parallel_invoke(work, work);
                  return x + y;
              }),
              2 * (11112 + 12));
}

TEST(clones, pass_addresses_of_locals) {
    const scripted_workers workers(2);
    constexpr int n = 8;
    std::vector<long> a(n * n), b(n * n), c(n * n), expected(n * n, 0);
    std::iota(a.begin(), a.end(), 1);
    std::iota(b.begin(), b.end(), -20);
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j)
            for (int k = 0; k < n; ++k)
                expected[static_cast<std::size_t>(i * n + j)] +=
                    a[static_cast<std::size_t>(i * n + k)] * b[static_cast<std::size_t>(k * n + j)];
    saguaro::run([&] { test_matmul(a.data(), b.data(), c.data(), n); });
    EXPECT_EQ(c, expected);
}

// Whole programs, with thieves that come when they like.
class stolen_clones : public testing::TestWithParam<unsigned> {
protected:
    void SetUp() override { saguaro::start({.workers = GetParam()}); }
    void TearDown() override { saguaro::stop(); }
};

TEST_P(stolen_clones, fib) {
    EXPECT_EQ(saguaro::run([] { return test_fib(24); }), 46368);
}

TEST_P(stolen_clones, nqueens) {
    EXPECT_EQ(saguaro::run([] { return test_nqueens(8); }), 92);
}

TEST_P(stolen_clones, cilksort) {
    std::vector<int> numbers(100'000), scratch(numbers.size());
    std::mt19937 random(7);
    for (int &x : numbers)
        x = static_cast<int>(random());
    std::vector<int> expected = numbers;
    std::sort(expected.begin(), expected.end());
    saguaro::run(
        [&] { test_cilksort(numbers.data(), scratch.data(), static_cast<long>(numbers.size())); });
    EXPECT_EQ(numbers, expected);
}

TEST_P(stolen_clones, matmul) {
    constexpr std::size_t n = 16;
    std::vector<long> a(n * n, 2), b(n * n, 3), c(n * n);
    saguaro::run([&] { test_matmul(a.data(), b.data(), c.data(), n); });
    EXPECT_EQ(c, std::vector<long>(n * n, 6 * n));
}

TEST_P(stolen_clones, qsort_with_spawning_comparisons) {
    std::vector<int> numbers(2000);
    std::iota(numbers.rbegin(), numbers.rend(), 0);
    saguaro::run([&] { test_qsort(numbers.data(), static_cast<int>(numbers.size()), 0); });
    EXPECT_TRUE(std::is_sorted(numbers.begin(), numbers.end()));
}

INSTANTIATE_TEST_SUITE_P(workers, stolen_clones, testing::Values(1u, 2u, 3u, 8u));

} // namespace
