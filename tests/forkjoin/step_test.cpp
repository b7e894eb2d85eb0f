// SPDX-License-Identifier: MIT
// Tests of loops with a step: at the ends of all types, up and down, cut anywhere, and refused.
#include "algorithm_inputs.hpp"

#include "saguaro/monoids.hpp"
#include "saguaro/parallel_for.hpp"
#include "saguaro/reducer.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <limits>
#include <mutex>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

namespace {

using namespace saguaro::test;
using saguaro::grain;
using saguaro::parallel_for;

// Wide enough for each bound and each step below, and for their sums.
__extension__ typedef __int128 exact;

// What a serial loop would visit if its index could not overflow, up to `most` indices.
template <class I>
std::vector<I> visited_serially(exact first, exact last, exact step, std::size_t most) {
    std::vector<I> list;
    for (exact i = first; (step < 0 ? i > last : i < last) && list.size() < most; i += step)
        list.push_back(static_cast<I>(i));
    return list;
}

struct enough {};

// What the loop visits on one worker, up to `most` indices.
template <class I, class S>
std::vector<I> visited(I first, I last, S step, std::size_t most) {
    std::vector<I> list;
    try {
        parallel_for(first, last, step, [&](I i) {
            if (list.size() == most)
                throw enough();
            list.push_back(i);
        });
    } catch (enough) {
    }
    return list;
}

template <class I, class S>
void at_the_ends_of_types() {
    using bounds = std::numeric_limits<I>;
    using steps = std::numeric_limits<S>;
    const free_workers workers(1);
    constexpr I low = bounds::min(), high = bounds::max();
    const I ends[] = {low, low + 1, high / 2, high / 2 + 1, high - 1, high};
    const S sizes[] = {steps::min(),         steps::min() + 1, S(-1),       1, 2, 3, 100,
                       steps::max() / 2 + 1, steps::max() - 1, steps::max()};
    for (const I first : ends)
        for (const I last : ends)
            for (const S step : sizes) {
                if (step == 0)
                    continue;
                EXPECT_EQ(visited(first, last, step, 300),
                          visited_serially<I>(first, last, step, 300))
                    << +first << " to " << +last << " by " << +step;
            }
}

TEST(step, at_the_ends_of_types) {
    at_the_ends_of_types<std::int8_t, std::int8_t>();
    at_the_ends_of_types<std::int8_t, std::uint64_t>();
    at_the_ends_of_types<std::uint8_t, int>();
    at_the_ends_of_types<int, std::int64_t>();
    at_the_ends_of_types<unsigned, short>();
    at_the_ends_of_types<std::int64_t, std::int64_t>();
    at_the_ends_of_types<std::int64_t, std::uint64_t>();
    at_the_ends_of_types<std::uint64_t, std::int8_t>();
}

TEST(step, of_128_bits) {
    const free_workers workers(1);
    const exact far = static_cast<exact>(1) << 100;
    EXPECT_TRUE(visited<exact>(-far, far, far, 9) == (std::vector<exact>{-far, 0}));
    EXPECT_TRUE(visited<exact>(far, -far, -far, 9) == (std::vector<exact>{far, 0}));
    EXPECT_TRUE(visited<exact>(-far, far, 1, 2) == (std::vector<exact>{-far, -far + 1}));
    EXPECT_EQ(visited(0, 10, far, 9), (std::vector<int>{0}));
    EXPECT_EQ(visited(10, 0, -far, 9), (std::vector<int>{10}));
    EXPECT_EQ(visited(10U, 0U, static_cast<exact>(-4), 9), (std::vector<unsigned>{10, 6, 2}));
}

TEST(step, each_index_once_and_in_order_however_it_is_cut) {
    std::uint64_t steals = 0;
    for (const int step : {1, 7, -3})
        for (const grain g : {grain{}, grain{5}}) {
            const int first = step < 0 ? 400 : -400;
            const std::vector<int> expected = visited_serially<int>(first, -first, step, 900);
            saguaro::reducer<saguaro::vector_append<int>> seen, in_blocks;
            now_and_then steal(20);
            const scripted_workers workers(3);
            saguaro::run([&] {
                parallel_for(first, -first, step, [&](int i) {
                    steal();
                    seen->push_back(i);
                });
                const auto body = [&](int i) {
                    steal();
                    in_blocks->push_back(i);
                };
                parallel_for(first, -first, step, body, g);
            });
            EXPECT_EQ(seen.get(), expected);
            EXPECT_EQ(in_blocks.get(), expected);
            steals += saguaro::stats().steals;
        }
    EXPECT_GT(steals, 0u);
}

// Blocks are of iterations, not of indices.
TEST(step, a_block_has_a_grain_of_iterations) {
    std::vector<unsigned> ran;
    std::mutex lock;
    const scripted_workers workers(2);
    parallel_for(
        0, 90, 3,
        [&](int i) {
            if (i == 0)
                while (force_steal())
                    ;
            const std::lock_guard guard(lock);
            if (i < 30)
                ran.push_back(me());
        },
        grain{10});
    EXPECT_EQ(ran, std::vector<unsigned>(10, ran[0]));
}

TEST(step, bounds_of_two_types_have_their_common_type) {
    const free_workers workers(2);
    const std::vector<int> list(10);
    std::atomic<std::size_t> sum{0};
    const auto add = [&](auto i) {
        static_assert(std::is_same_v<decltype(i), std::size_t>);
        sum += i;
    };
    parallel_for(0, list.size(), 3, add);
    parallel_for(list.size(), 1, -3L, add, grain{2});
    EXPECT_EQ(sum, 0u + 3 + 6 + 9 + 10 + 7 + 4);
    parallel_for(1, 10U, 4, [](unsigned i) { EXPECT_EQ(i % 4, 1U); });
}

TEST(step, iterators_and_ranges) {
    const free_workers workers(2);
    std::vector<int> list(20), expected(20);
    const auto increment = [](int &x) { ++x; };
    parallel_for(list.begin(), list.end(), 3, increment);
    parallel_for(list, 3, increment);
    parallel_for(list, 3U, increment, grain{2});
    for (std::size_t i = 0; i < expected.size(); i += 3)
        expected[i] = 3;
    EXPECT_EQ(list, expected);
    std::deque<int> queue(list.begin(), list.end());
    std::atomic<int> sum{0};
    const auto add = [&](const int &x) { sum += x; };
    parallel_for(queue.rbegin() + 1, queue.rend(), 9, add);
    parallel_for(queue.begin(), queue.cend(), std::numeric_limits<std::size_t>::max(), add);
    parallel_for(queue.end() - 2, queue.begin(), -9, add);
    EXPECT_EQ(sum, 3 * 3 + 3 + 2 * 3);
    int array[] = {1, 2, 3};
    parallel_for(array, 2, increment);
    parallel_for(array, array + 3, 2, increment);
    EXPECT_EQ(std::vector<int>(array, array + 3), (std::vector<int>{3, 2, 5}));
    std::vector<std::string> words = {"a", "b", "c"};
    parallel_for(words, 2, &std::string::clear);
    EXPECT_EQ(words, (std::vector<std::string>{"", "b", ""}));
}

TEST(step, of_zero_or_backwards_in_a_range) {
    const auto never = [](auto) { ADD_FAILURE() << "the body of a refused loop was called"; };
    std::vector<int> list(3);
    EXPECT_THROW(parallel_for(0, 9, 0, never), std::invalid_argument);
    EXPECT_THROW(parallel_for(9, 0, 0, never), std::invalid_argument);
    EXPECT_THROW(parallel_for(0, 9L, 0U, never, grain{2}), std::invalid_argument);
    EXPECT_THROW(parallel_for(list.begin(), list.end(), 0, never), std::invalid_argument);
    EXPECT_THROW(parallel_for(list, 0, never), std::invalid_argument);
    EXPECT_THROW(parallel_for(list, -1, never), std::invalid_argument);
    EXPECT_THROW(parallel_for(list, -1L, never, grain{2}), std::invalid_argument);
}

TEST(step, the_first_exception_leaves) {
    const nothing_leaks check;
    for (int thrower = 30; thrower > 0; thrower -= 3) {
        now_and_then steal(2);
        const scripted_workers workers(3);
        EXPECT_EQ(who_throws([&] {
                      parallel_for(30, 0, -3, [&](int i) {
                          steal();
                          if (i <= thrower)
                              throw thrown(i);
                      });
                  }),
                  thrower);
    }
}

} // namespace
