// SPDX-License-Identifier: MIT
// Tests of the slots' global bitmap and the workers' caches.
#include "hyperobjects/slots.hpp"

#include <algorithm>
#include <gtest/gtest.h>
#include <memory>
#include <numeric>
#include <thread>
#include <vector>

namespace saguaro::hyperobjects {
namespace {

std::vector<std::uint32_t> take(slot_allocator &slots, std::size_t count) {
    std::vector<std::uint32_t> got(count);
    got.resize(slots.take(got.data(), count));
    return got;
}

TEST(slot_allocator, hands_out_the_lowest_slots_first) {
    const auto slots = std::make_unique<slot_allocator>();
    std::vector<std::uint32_t> expected(1000);
    std::iota(expected.begin(), expected.end(), 0U);
    EXPECT_EQ(take(*slots, 1000), expected);

    const std::vector<std::uint32_t> back = {900, 3, 250, 247, 248};
    slots->give(back.data(), back.size());
    EXPECT_EQ(take(*slots, 6), (std::vector<std::uint32_t>{3, 247, 248, 250, 900, 1000}));
}

TEST(slot_allocator, has_as_many_slots_as_the_region) {
    const auto slots = std::make_unique<slot_allocator>();
    std::vector<std::uint32_t> all = take(*slots, region_slots + 1);
    ASSERT_EQ(all.size(), 4063232U);
    EXPECT_EQ(all.back(), region_slots - 1);
    EXPECT_TRUE(take(*slots, 1).empty());

    const std::uint32_t one = 2'000'000;
    slots->give(&one, 1);
    EXPECT_EQ(take(*slots, 2), (std::vector<std::uint32_t>{one}));
    slots->give(all.data(), all.size());
    EXPECT_EQ(take(*slots, 1).front(), 0U);
}

TEST(slot_allocator, withheld_slots_are_not_taken) {
    const auto slots = std::make_unique<slot_allocator>();
    slots->withhold(region_slots - 300);
    EXPECT_EQ(take(*slots, 400).size(), 300U);
    EXPECT_TRUE(take(*slots, 1).empty());
    slots->withhold(0);
    EXPECT_EQ(take(*slots, 1).front(), 300U);
}

TEST(slot_cache, no_slot_is_handed_out_twice) {
    std::vector<std::vector<std::uint32_t>> taken(4);
    std::vector<std::thread> threads;
    for (auto &mine : taken) {
        threads.emplace_back([&mine] {
            slot_cache cache;
            for (int turn = 0; turn < 2000; ++turn) {
                std::uint32_t slot = 0;
                ASSERT_TRUE(cache.take(slot));
                mine.push_back(slot);
                // Every third one goes back, so that slots change hands.
                if (turn % 3 == 2) {
                    cache.give(mine.front());
                    mine.erase(mine.begin());
                }
            }
        });
    }
    for (std::thread &thread : threads)
        thread.join();
    std::vector<std::uint32_t> all;
    for (const auto &mine : taken)
        all.insert(all.end(), mine.begin(), mine.end());
    std::sort(all.begin(), all.end());
    EXPECT_EQ(std::adjacent_find(all.begin(), all.end()), all.end());
    // Four caches of at most 64 lie fallow.
    EXPECT_LT(all.back(), all.size() + 4 * 64 + 4);
    global_slots().give(all.data(), all.size());
}

TEST(slot_cache, slots_given_back_in_numbers_reach_other_workers) {
    std::vector<std::uint32_t> taken(200);
    slot_cache one;
    for (std::uint32_t &slot : taken)
        ASSERT_TRUE(one.take(slot));
    for (const std::uint32_t slot : taken)
        one.give(slot);
    slot_cache other;
    std::uint32_t slot = 0;
    ASSERT_TRUE(other.take(slot));
    EXPECT_LT(slot, 200U + 64U);
    other.give(slot);
}

// What a worker has too much: the higher half goes, in whichever order it came, so that the next
// reducers lie on the lowest pages.
TEST(slot_cache, keeps_the_lowest_slots) {
    slot_cache cache;
    std::vector<std::uint32_t> taken(96);
    for (std::uint32_t &slot : taken)
        ASSERT_TRUE(cache.take(slot));
    std::sort(taken.begin(), taken.end());
    for (const std::uint32_t slot : taken)
        cache.give(slot);
    std::vector<std::uint32_t> kept(64);
    for (std::uint32_t &slot : kept)
        ASSERT_TRUE(cache.take(slot));
    std::sort(kept.begin(), kept.end());
    // The first 64 were too many: of them 32 stayed, and were joined by the rest.
    EXPECT_TRUE(std::equal(kept.begin(), kept.begin() + 32, taken.begin()));
    EXPECT_TRUE(std::equal(kept.begin() + 32, kept.end(), taken.begin() + 64));
    for (const std::uint32_t slot : kept)
        cache.give(slot);
}

} // namespace
} // namespace saguaro::hyperobjects
