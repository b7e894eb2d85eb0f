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

TEST(page_pool, gives_empty_maps_that_nobody_has) {
    page_cache pool;
    for (int turn = 0; turn < 3; ++turn) {
        const std::vector<public_map *> maps = get_many(pool, 100);
        EXPECT_EQ(std::set<public_map *>(maps.begin(), maps.end()).size(), 100U);
        for (std::size_t at = 0; at < maps.size(); ++at) {
            EXPECT_EQ(maps[at]->page, at);
            EXPECT_EQ(maps[at]->next, nullptr);
            EXPECT_TRUE(maps[at]->map.untouched());
        }
        put_all(pool, maps);
    }
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
