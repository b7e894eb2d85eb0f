// SPDX-License-Identifier: MIT
#include "platform/memory.hpp"

#include "saguaro/sanitizers.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <unistd.h>

using namespace saguaro::platform;

TEST(round_to_pages, gives_whole_pages) {
    EXPECT_EQ(round_to_pages(0), 0u);
    EXPECT_EQ(round_to_pages(1), page_size());
    EXPECT_EQ(round_to_pages(page_size()), page_size());
    EXPECT_EQ(round_to_pages(page_size() + 1), 2 * page_size());
}

TEST(reserve, gives_zeros_that_can_be_written) {
    const std::size_t bytes = 4 * page_size();
    char *const p = static_cast<char *>(reserve(bytes));
    ASSERT_NE(p, nullptr);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(p) % page_size(), 0u);
    for (std::size_t i = 0; i < bytes; ++i)
        ASSERT_EQ(p[i], 0);
    p[bytes - 1] = 1;
    EXPECT_EQ(p[bytes - 1], 1);
    release(p, bytes);
}

TEST(reserve, takes_no_memory_for_what_is_not_touched) {
    // More than this machine has; not more yet, because an emulator notes each page.
    const std::size_t bytes = 2 * static_cast<std::size_t>(sysconf(_SC_PHYS_PAGES)) * page_size();
    char *const p = static_cast<char *>(reserve(bytes));
    ASSERT_NE(p, nullptr);
    p[bytes / 2] = 1;
    release(p, bytes);
}

TEST(reserve, gives_null_when_there_is_no_more) {
    EXPECT_EQ(reserve(std::size_t{1} << 60), nullptr);
}

TEST(reserve_above, is_above_the_floor_where_the_systems_own_choice_is_not) {
    const std::size_t bytes = 64 * page_size();
    // The system's choices go downwards, or, with another layout, upwards: one of these floors is
    // above the next one.
    char *const first = static_cast<char *>(reserve(bytes));
    char *const second = static_cast<char *>(reserve(bytes));
    ASSERT_NE(first, nullptr);
    ASSERT_NE(second, nullptr);
    char *const floor = std::max(first, second) + bytes;
    const std::uintptr_t stack = reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0));
    if (stack - reinterpret_cast<std::uintptr_t>(floor) < std::uintptr_t{2} << 30)
        GTEST_SKIP() << "addresses are not randomized, and the stack is right above";
    void *const above = reserve_above(floor, bytes);
    ASSERT_GE(above, floor);
    // What is there already stays there.
    void *const next = reserve_above(floor, bytes);
    ASSERT_GE(next, floor);
    EXPECT_NE(next, above);
    for (void *const p : {static_cast<void *>(first), static_cast<void *>(second), above, next})
        release(p, bytes);
}

TEST(reserve_above, is_anywhere_if_nothing_is_left_above) {
#if SG_THREAD_SANITIZER
    GTEST_SKIP() << "its mmap takes an address above all memory for none";
#endif
    const auto end = reinterpret_cast<void *>(~std::uintptr_t{0} << 32);
    void *const p = reserve_above(end, page_size());
    ASSERT_NE(p, nullptr);
    EXPECT_LT(p, end);
    *static_cast<char *>(p) = 1;
    release(p, page_size());
}

TEST(reserve_above, gives_null_when_there_is_no_more) {
    EXPECT_EQ(reserve_above(nullptr, std::size_t{1} << 60), nullptr);
}

TEST(discard, makes_zeros_again) {
    char *const p = static_cast<char *>(reserve(page_size()));
    ASSERT_NE(p, nullptr);
    *p = 1;
    discard(p, page_size());
    EXPECT_EQ(*p, 0);
    release(p, page_size());
}

TEST(protect_none, makes_accesses_faults) {
    char *const p = static_cast<char *>(reserve(2 * page_size()));
    ASSERT_NE(p, nullptr);
    ASSERT_TRUE(protect_none(p, page_size()));
    p[page_size()] = 1;
    EXPECT_DEATH(*static_cast<volatile char *>(p) = 1, "");
    release(p, 2 * page_size());
}
