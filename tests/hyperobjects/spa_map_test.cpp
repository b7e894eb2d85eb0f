// SPDX-License-Identifier: MIT
// Tests of SPA maps: layout, log and walks.
#include "hyperobjects/spa_map.hpp"

#include <cstdint>
#include <gtest/gtest.h>
#include <memory>
#include <utility>
#include <vector>

namespace saguaro::hyperobjects {
namespace {

// Distinct pointers that nobody follows.
char objects[spa_elements];

void *view(std::size_t index) {
    return &objects[index];
}

const sg_reducer *owner(std::size_t index) {
    return reinterpret_cast<const sg_reducer *>(&objects[index]);
}

class spa_maps : public testing::Test {
protected:
    void insert(std::size_t index) { map_->insert(index, view(index), owner(index)); }

    void insert_all(std::size_t count) {
        for (std::size_t index = 0; index < count; ++index)
            insert(index);
    }

    // The places in the order of the walk, each checked to hold what was put in.
    std::vector<std::size_t> drain() {
        std::vector<std::size_t> order;
        map_->drain([&](std::size_t index, const element &entry) {
            EXPECT_EQ(entry.view, view(index));
            EXPECT_EQ(entry.reducer, owner(index));
            order.push_back(index);
        });
        return order;
    }

    void expect_all_zero_but_log() {
        for (std::size_t index = 0; index < spa_elements; ++index) {
            EXPECT_EQ((*map_)[index].view, nullptr);
            EXPECT_EQ((*map_)[index].reducer, nullptr);
        }
        EXPECT_EQ(map_->size(), 0U);
        EXPECT_TRUE(map_->untouched());
        EXPECT_FALSE(map_->log_gave_up());
    }

    std::unique_ptr<spa_map> map_ = std::make_unique<spa_map>();
};

TEST_F(spa_maps, zero_page_is_empty) {
    expect_all_zero_but_log();
    EXPECT_TRUE(drain().empty());
}

TEST_F(spa_maps, has_the_layout_of_the_paper) {
    EXPECT_EQ(sizeof(spa_map), 4096U);
    EXPECT_EQ(sizeof(element), 16U);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(&(*map_)[247]) -
                  reinterpret_cast<std::uintptr_t>(map_.get()),
              247U * 16U);
}

TEST_F(spa_maps, walk_follows_the_log) {
    for (const std::size_t index : {7U, 247U, 0U, 100U})
        insert(index);
    EXPECT_EQ(map_->size(), 4U);
    EXPECT_FALSE(map_->untouched());
    EXPECT_EQ(drain(), (std::vector<std::size_t>{7, 247, 0, 100}));
    expect_all_zero_but_log();
}

TEST_F(spa_maps, log_gives_up_at_the_121st) {
    for (std::size_t at = 0; at < spa_log_length; ++at)
        insert(spa_elements - 1 - at);
    EXPECT_FALSE(map_->log_gave_up());
    insert(0);
    EXPECT_TRUE(map_->log_gave_up());
    EXPECT_EQ(map_->size(), 121U);
    // The walk looks at every place, in their order.
    const std::vector<std::size_t> order = drain();
    ASSERT_EQ(order.size(), 121U);
    EXPECT_EQ(order[0], 0U);
    EXPECT_EQ(order[1], spa_elements - spa_log_length);
    EXPECT_EQ(order[120], spa_elements - 1);
    expect_all_zero_but_log();
}

TEST_F(spa_maps, full_map) {
    insert_all(spa_elements);
    EXPECT_EQ(map_->size(), spa_elements);
    EXPECT_EQ(drain().size(), spa_elements);
    expect_all_zero_but_log();
    insert_all(3);
    EXPECT_EQ(drain(), (std::vector<std::size_t>{0, 1, 2})) << "the log works again";
}

TEST_F(spa_maps, removed_views_are_not_walked) {
    insert_all(5);
    map_->remove(1);
    map_->remove(4);
    EXPECT_EQ(map_->size(), 3U);
    EXPECT_EQ((*map_)[4].view, nullptr);
    EXPECT_EQ(drain(), (std::vector<std::size_t>{0, 2, 3}));
}

TEST_F(spa_maps, place_used_twice_is_walked_once) {
    insert_all(3);
    map_->remove(0);
    insert(0);
    EXPECT_EQ(drain(), (std::vector<std::size_t>{0, 1, 2}));
}

TEST_F(spa_maps, emptied_map_is_known_to_be_touched) {
    insert(9);
    map_->remove(9);
    EXPECT_EQ(map_->size(), 0U);
    EXPECT_FALSE(map_->untouched());
    EXPECT_TRUE(drain().empty());
    EXPECT_TRUE(map_->untouched());
}

TEST_F(spa_maps, reducer_created_and_destroyed_in_turn_does_not_fill_the_log) {
    insert(1);
    for (int turn = 0; turn < 1000; ++turn) {
        insert(2);
        map_->remove(2);
    }
    EXPECT_FALSE(map_->log_gave_up());
    EXPECT_EQ(drain(), (std::vector<std::size_t>{1}));
}

TEST_F(spa_maps, map_that_gave_up_counts_removals) {
    insert_all(spa_elements);
    for (std::size_t index = 1; index < spa_elements; ++index)
        map_->remove(index);
    EXPECT_EQ(map_->size(), 1U);
    EXPECT_EQ(drain(), (std::vector<std::size_t>{0}));
    expect_all_zero_but_log();
}

} // namespace
} // namespace saguaro::hyperobjects
