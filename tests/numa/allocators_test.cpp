// SPDX-License-Identifier: MIT
// The C++ allocators, on the emulated machine.
#include "numa/emulated.hpp"

#include <gtest/gtest.h>
#include <saguaro/place.hpp>

#include <cerrno>
#include <cstdint>
#include <list>
#include <memory_resource>
#include <vector>

SG_BEFORE_CASES(emulated::install)

TEST(allocators, local_memory_is_near) {
    for (const int node : {1, 5}) {
        emulated::run_on(node);
        const std::vector<int, saguaro::local_allocator<int>> numbers(1000, 7);
        EXPECT_EQ(sg_node_of(numbers.data()), node);
        const std::list<int, saguaro::local_allocator<int>> nodes(10, 7);
        EXPECT_EQ(sg_node_of(&nodes.front()), node);
        saguaro::local_resource near;
        const std::pmr::vector<int> others(1000, &near);
        EXPECT_EQ(sg_node_of(others.data()), node);
    }
}

TEST(allocators, layouts_place_memory) {
    const saguaro::place_allocator<char> on_2(sg_layout_on_node(2));
    const std::vector<char, saguaro::place_allocator<char>> numbers(10000, 'a', on_2);
    EXPECT_EQ(sg_node_of(numbers.data()), 2);
    saguaro::place_resource blocked(sg_layout_blocked(nullptr, 0));
    const std::pmr::vector<char> others(std::size_t{1} << 20, &blocked);
    EXPECT_EQ(sg_node_of(&others.front()), 0);
    EXPECT_EQ(sg_node_of(&others.back()), 5);
}

TEST(allocators, alignment_is_kept_or_refused) {
    saguaro::local_resource near;
    for (std::size_t alignment = 1; alignment <= 4096; alignment *= 2)
        for (const std::size_t bytes : {1U, 100U, 5000U, 70000U}) {
            void *const p = near.allocate(bytes, alignment);
            void *const q = near.allocate(bytes, alignment);
            EXPECT_EQ(reinterpret_cast<std::uintptr_t>(p) % alignment, 0U);
            EXPECT_EQ(reinterpret_cast<std::uintptr_t>(q) % alignment, 0U);
            near.deallocate(p, bytes, alignment);
            near.deallocate(q, bytes, alignment);
        }
    EXPECT_THROW((void)near.allocate(1, 8192), std::bad_alloc);
}

TEST(allocators, what_cannot_be_placed_throws) {
    saguaro::place_resource nowhere(sg_layout_on_node(3));
    EXPECT_THROW((void)nowhere.allocate(1), std::bad_alloc);
    EXPECT_EQ(errno, EINVAL);
    saguaro::place_allocator<int> none(sg_layout_on_node(3));
    EXPECT_THROW((void)none.allocate(1), std::bad_alloc);
    EXPECT_THROW((void)none.allocate(SIZE_MAX / 2), std::bad_array_new_length);
    saguaro::local_allocator<int> near;
    EXPECT_THROW((void)near.allocate(SIZE_MAX / 2), std::bad_array_new_length);
    EXPECT_THROW((void)near.allocate(SIZE_MAX / 8), std::bad_alloc);
}

TEST(allocators, any_resource_of_a_kind_frees) {
    saguaro::local_resource one, other;
    saguaro::place_resource placed(sg_layout_on_node(0)), elsewhere(sg_layout_on_node(1));
    EXPECT_TRUE(one.is_equal(other));
    EXPECT_TRUE(placed.is_equal(elsewhere));
    EXPECT_FALSE(one.is_equal(placed));
    EXPECT_EQ(saguaro::local_allocator<int>(), saguaro::local_allocator<int>());
}
