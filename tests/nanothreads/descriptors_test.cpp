// SPDX-License-Identifier: MIT
// Tests of descriptors: carving, recycling and the depot.
#include "nanothreads/descriptors.hpp"

#include <gtest/gtest.h>
#include <set>
#include <thread>
#include <vector>

namespace saguaro::nanothreads {

namespace {

constexpr std::size_t batch = descriptors::batch;

TEST(nanothreads_descriptors, are_carved_side_by_side_and_are_zeros) {
    descriptors all;
    descriptor_cache mine(all);
    thread *const first = mine.take();
    ASSERT_NE(first, nullptr);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(first) % 64, 0U);
    for (std::size_t i = 1; i < descriptors::page; ++i)
        EXPECT_EQ(mine.take(), first + i);
    EXPECT_EQ(first->now, state::none);
    EXPECT_EQ(first->function, nullptr);
    EXPECT_EQ(mine.dealt(), std::size_t{descriptors::page});
    mine.take();
    EXPECT_EQ(mine.dealt(), descriptors::page + std::size_t{1});
}

TEST(nanothreads_descriptors, the_last_given_is_the_first_taken) {
    descriptors all;
    descriptor_cache mine(all);
    thread *const one = mine.take();
    thread *const two = mine.take();
    mine.give(one);
    mine.give(two);
    EXPECT_EQ(mine.take(), two);
    EXPECT_EQ(mine.take(), one);
    EXPECT_EQ(mine.dealt(), 2U);
}

TEST(nanothreads_descriptors, areas_grow_and_none_is_given_twice) {
    descriptors all;
    descriptor_cache mine(all);
    std::set<thread *> taken;
    constexpr std::size_t many = 5000; // more than the first areas hold
    for (std::size_t i = 0; i < many; ++i)
        taken.insert(mine.take());
    EXPECT_EQ(taken.size(), many);
    std::size_t carved = 0;
    all.for_each([&](thread &t) { carved += taken.count(&t); });
    EXPECT_EQ(carved, many);
}

// One creates, another ends: the depot takes them back to the first.
TEST(nanothreads_descriptors, travel_by_the_depot) {
    descriptors all;
    descriptor_cache creator(all);
    descriptor_cache ender(all);
    std::set<thread *> known;
    for (std::size_t i = 0; i < 3 * batch; ++i)
        known.insert(creator.take());
    for (thread *const t : known)
        ender.give(t); // keeps two batches
    for (std::size_t i = 0; i < batch; ++i)
        EXPECT_EQ(known.count(creator.take()), 1U);
    EXPECT_EQ(creator.dealt(), 3 * batch);
    EXPECT_EQ(known.count(creator.take()), 0U);
}

TEST(nanothreads_descriptors, of_many_threads) {
    descriptors all;
    constexpr std::size_t threads = 4;
    constexpr std::size_t each = 3000;
    std::vector<std::vector<thread *>> taken(threads);
    std::vector<std::thread> running;
    for (std::vector<thread *> &mine : taken)
        running.emplace_back([&all, &mine] {
            descriptor_cache cache(all);
            for (std::size_t i = 0; i < each; ++i) {
                mine.push_back(cache.take());
                if (i % 3 == 0) {
                    cache.give(mine.back());
                    mine.pop_back();
                }
            }
        });
    std::set<thread *> different;
    std::size_t count = 0;
    for (std::size_t i = 0; i < threads; ++i) {
        running[i].join();
        different.insert(taken[i].begin(), taken[i].end());
        count += taken[i].size();
    }
    EXPECT_EQ(different.size(), count);
}

} // namespace

} // namespace saguaro::nanothreads
