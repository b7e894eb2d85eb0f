// SPDX-License-Identifier: MIT
#include "platform/memory.hpp"

#include <gtest/gtest.h>

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
