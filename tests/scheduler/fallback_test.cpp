// SPDX-License-Identifier: MIT
// The runtime without membarrier: every pop and every step of a loop asks under the lock.
#include "platform/fence.hpp"
#include "saguaro/monoids.hpp"
#include "saguaro/parallel_for.hpp"
#include "saguaro/parallel_invoke.hpp"
#include "saguaro/parallel_reduce.hpp"
#include "saguaro/reducer.hpp"
#include "saguaro/run.hpp"
#include "saguaro/scope.hpp"
#include "scheduler/runtime.hpp"
#include "support/fib_clones.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <functional>
#include <stdexcept>
#include <vector>

namespace saguaro::scheduler {
namespace {

class without_membarrier : public testing::TestWithParam<unsigned> {
protected:
    without_membarrier() {
        settings s = settings_from_environment();
        s.workers = GetParam();
        s.asymmetric_fences = false;
        EXPECT_EQ(start_with(s, make_uniform_policy()), 0);
        EXPECT_FALSE(platform::fence_is_asymmetric());
    }
    ~without_membarrier() override { EXPECT_EQ(sg_stop(), 0); }
};

constexpr long fib_of_19 = 4181;

long fib_invoke(long n) {
    if (n < 2)
        return n;
    const auto [x, y] =
        parallel_invoke([n] { return fib_invoke(n - 1); }, [n] { return fib_invoke(n - 2); });
    return x + y;
}

long fib_scope(long n) {
    if (n < 2)
        return n;
    long x = 0;
    scope s;
    s.spawn([&x, n] { x = fib_scope(n - 1); });
    const long y = fib_scope(n - 2);
    s.sync();
    return x + y;
}

long fib_loop(long n) {
    if (n < 2)
        return n;
    long parts[2];
    parallel_for(0, 2, [&](int i) { parts[i] = fib_loop(n - 1 - i); });
    return parts[0] + parts[1];
}

// All constructs in one tree: each calls the others.
long fib_mixed(long n) {
    if (n < 2)
        return n;
    long x = 0, y = 0;
    if (n % 3 == 0) {
        const auto both =
            parallel_invoke([n] { return fib_mixed(n - 1); }, [n] { return test_fib(n - 2); });
        return std::get<0>(both) + std::get<1>(both);
    }
    if (n % 3 == 1) {
        scope s;
        s.spawn([&] { x = fib_mixed(n - 1); });
        y = fib_mixed(n - 2);
        s.sync();
        return x + y;
    }
    parallel_for(0, 2, [&](int i) { (i == 0 ? x : y) = fib_mixed(n - 1 - i); });
    return x + y;
}

TEST_P(without_membarrier, fib_by_all_constructs) {
    for (int i = 0; i < 5; ++i) {
        EXPECT_EQ(run([] { return fib_invoke(19); }), fib_of_19);
        EXPECT_EQ(run([] { return fib_scope(19); }), fib_of_19);
        EXPECT_EQ(run([] { return fib_loop(19); }), fib_of_19);
        EXPECT_EQ(run([] { return test_fib(19); }), fib_of_19);
        EXPECT_EQ(run([] { return fib_mixed(19); }), fib_of_19);
    }
}

TEST_P(without_membarrier, each_iteration_runs_once) {
    std::vector<std::atomic<unsigned char>> times(20'000);
    for (int round = 1; round <= 10; ++round) {
        parallel_for(std::size_t{0}, times.size(), [&](std::size_t i) { ++times[i]; });
        ASSERT_TRUE(
            std::all_of(times.begin(), times.end(), [=](const auto &t) { return t == round; }))
            << "in round " << round;
    }
}

TEST_P(without_membarrier, reducers_see_the_serial_order) {
    for (int round = 0; round < 10; ++round) {
        reducer<vector_append<int>> order;
        parallel_for(0, 3000, [&](int i) { order->push_back(i); });
        const std::vector<int> values = order.take();
        ASSERT_EQ(values.size(), 3000U);
        EXPECT_TRUE(std::is_sorted(values.begin(), values.end()));
    }
    EXPECT_EQ(parallel_reduce(0, 5000, 0L, std::plus<>(), [](int i) { return long{i}; }),
              12'497'500L);
}

TEST_P(without_membarrier, exceptions_leave_through_the_join) {
    for (int round = 0; round < 20; ++round) {
        std::atomic<int> alive{0};
        const auto thrower = [&](int i) {
            ++alive;
            if (i == 40 || i == 70) {
                --alive;
                throw std::runtime_error(std::to_string(i));
            }
            --alive;
        };
        try {
            parallel_for(0, 100, thrower);
            ADD_FAILURE() << "nothing was thrown";
        } catch (const std::runtime_error &error) {
            EXPECT_STREQ(error.what(), "40");
        }
        EXPECT_EQ(alive, 0);
    }
}

INSTANTIATE_TEST_SUITE_P(fallback, without_membarrier, testing::Values(1U, 2U, 4U));

// One start does not decide for the next.
TEST(fences, are_chosen_at_each_start) {
    const bool has_membarrier = platform::fence_init(true);
    for (const bool asymmetric : {false, true, false, true}) {
        settings s = settings_from_environment();
        s.workers = 2;
        s.asymmetric_fences = asymmetric;
        ASSERT_EQ(start_with(s, make_uniform_policy()), 0);
        EXPECT_EQ(platform::fence_is_asymmetric(), asymmetric && has_membarrier);
        EXPECT_EQ(run([] { return fib_mixed(17); }), 1597);
        // The loop's steps ask just as the pops do.
        EXPECT_EQ(detail::ask_at_each_step, !platform::fence_is_asymmetric());
        EXPECT_EQ(sg_stop(), 0);
    }
}

// Statistics count each push although membarrier would make the pops free.
TEST(fences, statistics_ask_at_every_pop_and_at_no_step) {
    settings s = settings_from_environment();
    s.workers = 2;
    s.statistics = true;
    ASSERT_EQ(start_with(s, make_uniform_policy()), 0);
    EXPECT_EQ(detail::ask_at_each_step, !platform::fence_is_asymmetric());
    EXPECT_EQ(run([] { return test_fib(15); }), 610);
    EXPECT_EQ(stats().spawns, 986U) << "one for each call but the leaves";
    EXPECT_EQ(sg_stop(), 0);
}

} // namespace
} // namespace saguaro::scheduler
