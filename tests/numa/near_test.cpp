// SPDX-License-Identifier: MIT
// The runtime's own memory, on the emulated machine.
#include "numa/emulated.hpp"

#include "numa/machine.hpp"
#include "numa/near.hpp"
#include "platform/memory.hpp"

#include <gtest/gtest.h>
#include <saguaro/place.h>

#include <cerrno>
#include <cstdint>
#include <cstring>
#include <utility>

SG_BEFORE_CASES(emulated::install)

namespace numa = saguaro::numa;

TEST(near, nodes_are_those_that_take_part) {
    EXPECT_EQ(numa::node_count(), 4U);
    for (const auto &[node, index] : {std::pair{0, 0U}, {1, 1U}, {2, 2U}, {5, 3U}, {3, 3U}}) {
        emulated::run_on(node);
        EXPECT_EQ(numa::node_index_here(), index);
    }
}

TEST(near, a_processor_of_a_node_is_one_that_the_process_may_use) {
    const numa::machine &here = numa::machine::here();
    for (const int node : {0, 1, 2, 3, 5}) {
        bool has_one = false;
        for (const int cpu : here.cpus())
            has_one = has_one || here.node_of_cpu(cpu) == node;
        const int cpu = numa::cpu_of_node(node);
        EXPECT_EQ(cpu >= 0, has_one);
        EXPECT_TRUE(cpu < 0 || here.node_of_cpu(cpu) == node);
    }
    EXPECT_EQ(numa::cpu_of_node(4), -1);
}

TEST(near, memory_is_the_callers_and_goes_home) {
    for (const std::size_t bytes : {std::size_t{48}, std::size_t{5000}, std::size_t{2} << 20}) {
        emulated::run_on(5);
        void *const p = numa::take_near(bytes);
        ASSERT_NE(p, nullptr);
        std::memset(p, 1, bytes);
        EXPECT_EQ(sg_node_of(p), 5);
        emulated::run_on(1);
        numa::give_near(p);
        void *const other = numa::take_near(bytes);
        EXPECT_EQ(sg_node_of(other), 1);
        numa::give_near(other);
    }
    EXPECT_EQ(numa::take_near(SIZE_MAX / 2), nullptr);
    numa::give_near(nullptr);
}

TEST(near, alignment_is_kept) {
    for (std::size_t alignment = 1; alignment <= numa::most_near_alignment; alignment *= 2)
        for (const std::size_t bytes : {24U, 100U, 5000U, 70000U}) {
            void *const one = numa::take_near(bytes, alignment);
            void *const other = numa::take_near(bytes, alignment);
            EXPECT_EQ(reinterpret_cast<std::uintptr_t>(one) % alignment, 0U);
            EXPECT_EQ(reinterpret_cast<std::uintptr_t>(other) % alignment, 0U);
            numa::give_near(one);
            numa::give_near(other);
        }
}

// All pages that have any of the bytes, and no others.
TEST(near, pages_are_brought) {
    const std::size_t page = saguaro::platform::page_size();
    constexpr std::size_t pages = 150; // more than one request
    emulated::run_on(0);
    auto *const p = static_cast<char *>(sg_malloc_place(pages * page, sg_layout_on_node(0)));
    numa::bring(p + 2 * page - 1, (pages - 3) * page + 1, 2);
    for (std::size_t i = 0; i < pages; ++i)
        EXPECT_EQ(sg_node_of(p + i * page), i == 0 || i == pages - 1 ? 0 : 2) << i;
    sg_free_place(p);
}

// Where a filter forbids it, or the kernel has no such call, it is asked once; other refusals are
// of these pages only.
TEST(near, pages_stay_where_none_may_be_moved) {
    const std::size_t page = saguaro::platform::page_size();
    constexpr std::size_t pages = 3 * numa::most_moved_at_once;
    void *const p = sg_malloc_place(pages * page, sg_layout_on_node(0));
    for (const auto &[error, calls] : {std::pair{EPERM, 1}, {ENOSYS, 1}, {EBUSY, 3}}) {
        emulated::it().refuse_move = error;
        const int before = emulated::it().moves;
        numa::bring(p, pages * page, 2);
        EXPECT_EQ(emulated::it().moves, before + calls) << error;
    }
    emulated::describe();
    sg_free_place(p);
}
