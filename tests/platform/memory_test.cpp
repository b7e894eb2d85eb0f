// SPDX-License-Identifier: MIT
// Tests of reserving, committing, guarding and discarding pages.
#include "platform/memory.hpp"

#include "saguaro/detail/sanitizers.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <set>
#include <string>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>
#include <vector>

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

TEST(reserve_addresses, can_be_touched_where_they_are_committed) {
    const std::size_t page = page_size();
    char *const p = static_cast<char *>(reserve_addresses(4 * page));
    ASSERT_NE(p, nullptr);
    EXPECT_DEATH(*static_cast<volatile char *>(p) = 1, "");
    ASSERT_TRUE(commit(p + page + 100, 1));
    p[page] = 1;
    p[2 * page - 1] = 1;
    EXPECT_DEATH(*static_cast<volatile char *>(p) = 1, "");
    EXPECT_DEATH(*static_cast<volatile char *>(p + 2 * page) = 1, "");
    ASSERT_TRUE(commit(p + page, 2 * page));
    EXPECT_EQ(p[page], 1) << "what was committed stays as it is";
    release(p, 4 * page);
}

TEST(reserve_partly, is_memory_at_its_begin_alone) {
    const std::size_t page = page_size();
    char *const p = static_cast<char *>(reserve_partly(4 * page, page + 1));
    ASSERT_NE(p, nullptr);
    p[0] = p[2 * page - 1] = 1;
    EXPECT_DEATH(*static_cast<volatile char *>(p + 2 * page) = 1, "");
    ASSERT_TRUE(commit(p + 2 * page, page));
    p[2 * page] = 1;
    release(p, 4 * page);
}

namespace {

// Beside others, and where there is room for it in a place that is not aligned, with nothing free
// around.
void expect_aligned(void *(*reserve_so)(std::size_t, std::size_t)) {
    const std::size_t bytes = 64 * page_size(), whole = 4 * bytes;
    std::vector<char *> around;
    std::set<char *> blocks;
    for (int i = 0; i < 20; ++i) {
        around.push_back(static_cast<char *>(reserve_aligned(whole, bytes)));
        ASSERT_NE(around.back(), nullptr);
        release(around.back() + bytes + page_size(), bytes);
        for (int j = 0; j < 3; ++j) {
            char *const p = static_cast<char *>(reserve_so(bytes, bytes));
            ASSERT_NE(p, nullptr);
            EXPECT_EQ(reinterpret_cast<std::uintptr_t>(p) % bytes, 0U);
            EXPECT_TRUE(blocks.insert(p).second);
        }
    }
    for (char *const p : around) {
        release(p, bytes + page_size());
        release(p + 2 * bytes + page_size(), whole - 2 * bytes - page_size());
    }
    for (char *const p : blocks)
        release(p, bytes);
}

} // namespace

TEST(reserve_aligned, gives_blocks_of_their_own) {
    expect_aligned(reserve_aligned);
}

TEST(reserve_aligned_addresses, are_blocks_of_their_own) {
    expect_aligned(reserve_aligned_addresses);
}

TEST(make_addresses, leaves_the_pages_around_as_they_are) {
    const std::size_t page = page_size();
    char *const p = static_cast<char *>(reserve(4 * page));
    ASSERT_NE(p, nullptr);
    p[0] = p[4 * page - 1] = 1;
    make_addresses(p + 1, 4 * page - 2);
    EXPECT_EQ(p[0] + p[4 * page - 1], 2);
    EXPECT_EQ(p[page], 0) << "to be read";
    EXPECT_DEATH(*static_cast<volatile char *>(p + page) = 1, "");
    ASSERT_TRUE(commit(p + page, page));
    p[page] = 1;
    release(p, 4 * page);
}

#if !defined(SG_TEST_EMULATED) && !SG_ADDRESS_SANITIZER && !SG_THREAD_SANITIZER

namespace {

// In kilobytes, from /proc/self/status.
long of_this_process(const char *what) {
    std::ifstream status("/proc/self/status");
    for (std::string line; std::getline(status, line);)
        if (line.rfind(what, 0) == 0)
            return std::atol(line.c_str() + std::strlen(what));
    return -1;
}

} // namespace

TEST(untouched_memory_costs_death, when_it_is_locked_or_limited) {
    EXPECT_EXIT(
        {
            rlimit enough{};
            enough.rlim_cur = enough.rlim_max = std::size_t{1} << 40;
            std::_Exit(setrlimit(RLIMIT_DATA, &enough) == 0 && untouched_memory_costs() ? 0 : 1);
        },
        testing::ExitedWithCode(0), "");
    if (mlockall(MCL_FUTURE) != 0)
        GTEST_SKIP() << "needs CAP_IPC_LOCK, or ulimit -l unlimited";
    EXPECT_TRUE(untouched_memory_costs());
    munlockall();
}

// Of 64 MB each only what is touched is in memory, and locked.
TEST(commit, of_a_process_that_locks_its_memory_takes_what_is_touched) {
    if (mlockall(MCL_FUTURE) != 0)
        GTEST_SKIP() << "needs CAP_IPC_LOCK, or ulimit -l unlimited";
    constexpr std::size_t bytes = std::size_t{64} << 20;
    const long resident = of_this_process("VmRSS:"), locked = of_this_process("VmLck:");
    char *const p = static_cast<char *>(reserve_addresses(bytes));
    EXPECT_LT(of_this_process("VmLck:") - locked, 1024) << "addresses";
    EXPECT_TRUE(commit(p, bytes));
    p[0] = p[bytes - 1] = 1;
    EXPECT_LT(of_this_process("VmRSS:") - resident, 4096) << "committed";
    EXPECT_GE(of_this_process("VmLck:") - locked, long{bytes >> 10}) << "to be locked when touched";
    release(p, bytes);
    munlockall();
}

TEST(reserve_partly, of_a_process_that_locks_its_memory_takes_what_is_touched) {
    if (mlockall(MCL_FUTURE) != 0)
        GTEST_SKIP() << "needs CAP_IPC_LOCK, or ulimit -l unlimited";
    constexpr std::size_t bytes = std::size_t{64} << 20, committed = std::size_t{16} << 20;
    const long resident = of_this_process("VmRSS:"), locked = of_this_process("VmLck:");
    char *const p = static_cast<char *>(reserve_partly(bytes, committed));
    p[0] = p[committed - 1] = 1;
    EXPECT_LT(of_this_process("VmRSS:") - resident, 4096);
    const long now = of_this_process("VmLck:") - locked;
    EXPECT_GE(now, long{committed >> 10}) << "to be locked when touched";
    EXPECT_LT(now, long{committed >> 10} + 1024) << "addresses";
    release(p, bytes);
    munlockall();
}

#endif

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
