// SPDX-License-Identifier: MIT
// Empty public maps: what one worker gives back beyond its own bound serves the others.
#include "hyperobjects/page_pool.hpp"

#include <algorithm>
#include <cstddef>
#include <gtest/gtest.h>
#include <set>
#include <vector>

namespace saguaro::hyperobjects {
namespace {

std::vector<public_map *> get_many(page_cache &pool, std::size_t count) {
    std::vector<public_map *> maps;
    while (maps.size() < count)
        maps.push_back(pool.get(static_cast<std::uint32_t>(maps.size())));
    return maps;
}

void put_all(page_cache &pool, const std::vector<public_map *> &maps) {
    for (public_map *const each : maps)
        pool.put(each);
}

TEST(page_pool, maps_change_hands_and_stay_empty) {
    std::vector<public_map *> maps;
    {
        page_cache giver;
        for (std::uint32_t page = 0; page < 100; ++page) {
            maps.push_back(giver.get(page));
            EXPECT_EQ(maps.back()->page, page);
            EXPECT_EQ(maps.back()->next, nullptr);
            EXPECT_EQ(maps.back()->map.size(), 0U);
        }
        for (public_map *const map : maps)
            giver.put(map);
    }
    page_cache taker;
    std::vector<public_map *> again;
    for (std::uint32_t page = 0; page < 100; ++page)
        again.push_back(taker.get(page));
    for (public_map *const map : again) {
        EXPECT_TRUE(map->map.untouched());
        taker.put(map);
    }
    std::sort(maps.begin(), maps.end());
    std::sort(again.begin(), again.end());
    EXPECT_EQ(maps, again) << "the pool kept every map";
}

// Of 100 maps that one gives back, the others get all but what it may keep, however often.
TEST(page_pool, keeps_few_for_itself) {
    page_cache giver;
    for (int turn = 0; turn < 20; ++turn) {
        page_cache taker;
        const std::vector<public_map *> given = get_many(giver, 100);
        put_all(giver, given);
        // Those that were given last are taken first.
        const std::vector<public_map *> taken = get_many(taker, 60);
        const std::set<public_map *> known(given.begin(), given.end());
        EXPECT_EQ(std::count_if(taken.begin(), taken.end(),
                                [&](public_map *map) { return known.count(map) != 0; }),
                  60);
        put_all(taker, taken);
    }
}

// Gets and puts in turn stay its own: the others find nothing of it.
TEST(page_pool, keeps_the_last_few_however_often_they_come_and_go) {
    page_cache pool, other;
    public_map *const mine = pool.get(0);
    pool.put(mine);
    for (int turn = 0; turn < 1000; ++turn) {
        ASSERT_EQ(pool.get(1), mine) << turn;
        pool.put(mine);
    }
    const std::vector<public_map *> others = get_many(other, 100);
    EXPECT_EQ(std::count(others.begin(), others.end(), mine), 0);
    put_all(other, others);
}

} // namespace
} // namespace saguaro::hyperobjects
