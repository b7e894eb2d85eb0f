// SPDX-License-Identifier: MIT
// Tests of the floor on this machine, with its own kernel.
#include "numa/system.hpp"
#include "platform/memory.hpp"
#include "platform/thread.hpp"
#include "support/forbidden_call.hpp"

#include <gtest/gtest.h>
#include <saguaro/place.h>

#include <cerrno>
#include <cstddef>
#include <cstring>
#include <linux/mempolicy.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

namespace numa = saguaro::numa;
using saguaro::test_support::can_forbid_calls;
using saguaro::test_support::forbid_call;

namespace {

const std::size_t page_bytes = saguaro::platform::page_size();

std::vector<int> all_nodes() {
    std::vector<int> nodes(sg_place_nodes(nullptr, 0));
    sg_place_nodes(nodes.data(), nodes.size());
    return nodes;
}

// A kernel without NUMA answers for every address.
bool kernel_knows_pages() {
    void *const untouched = saguaro::platform::reserve(page_bytes);
    const bool knows = sg_node_of(untouched) == -1;
    saguaro::platform::release(untouched, page_bytes);
    return knows;
}

} // namespace

TEST(pages, lie_where_the_layout_says) {
    for (const int node : all_nodes()) {
        auto *const p =
            static_cast<char *>(sg_malloc_place(5 * page_bytes, sg_layout_on_node(node)));
        ASSERT_NE(p, nullptr) << std::strerror(errno);
        for (std::size_t i = 0; i < 5; ++i)
            EXPECT_EQ(sg_node_of(p + i * page_bytes), node);
        sg_free_place(p);
    }
}

TEST(pages, that_nobody_has_touched_have_no_node) {
    if (!kernel_knows_pages())
        GTEST_SKIP() << "skipped: the kernel does not know where pages are";
    auto *const p = static_cast<char *>(saguaro::platform::reserve(2 * page_bytes));
    errno = 0;
    EXPECT_EQ(sg_node_of(p), -1);
    EXPECT_EQ(errno, ENOENT);
    p[0] = 1;
    EXPECT_GE(sg_node_of(p + 1), 0);
    saguaro::platform::release(p, 2 * page_bytes);
    EXPECT_EQ(sg_node_of(p), -1);
#if defined(SG_TEST_EMULATED)
    EXPECT_TRUE(errno == EFAULT || errno == ENOENT);
#else
    EXPECT_EQ(errno, EFAULT);
#endif
}

#if !defined(SG_TEST_EMULATED)
namespace {

// Whether the kernel tells by this other call.
bool answers(void *page_of_block, int *node) {
    return syscall(SYS_get_mempolicy, node, nullptr, 0UL, page_of_block,
                   static_cast<unsigned long>(MPOL_F_NODE | MPOL_F_ADDR)) == 0;
}

void expect_good_end(pid_t child) {
    int how = 0;
    waitpid(child, &how, 0);
    ASSERT_TRUE(WIFEXITED(how));
    EXPECT_EQ(WEXITSTATUS(how), 0);
}

} // namespace

// Some filters of system calls forbid move_pages alone; what it answers is wrong then.
TEST(pages, are_found_without_move_pages) {
    if (!can_forbid_calls())
        GTEST_SKIP() << "skipped: the kernel takes no filter of system calls";
    void *const block = sg_malloc_place(2 * page_bytes, sg_layout_on_node(all_nodes().back()));
    ASSERT_NE(block, nullptr);
    int expected = -1;
    if (!answers(block, &expected))
        GTEST_SKIP() << "skipped: the kernel tells nobody where pages are";
    EXPECT_EQ(expected, all_nodes().back());
    const pid_t child = fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
        forbid_call(SYS_move_pages);
        void *pages[] = {block, static_cast<char *>(block) + page_bytes};
        int status[] = {-7, -7};
        // One page is found by another call; of several nobody knows, and nothing is made up.
        const bool one = numa::calls.nodes_of(1, pages, status) == 0 && status[0] == expected;
        const bool several = numa::calls.nodes_of(2, pages, status) == EPERM;
        _exit(one && several && sg_node_of(block) == expected ? 0 : 1);
    }
    expect_good_end(child);
    sg_free_place(block);
}

// All that places memory is forbidden, as in many containers. Pages of a pool that nobody has
// touched then do not count as present: with one node they are absent, with several unknown.
TEST(pages, that_nobody_has_touched_are_not_present_where_the_kernel_tells_no_nodes) {
    if (!can_forbid_calls())
        GTEST_SKIP() << "skipped: the kernel takes no filter of system calls";
    void *const untouched = saguaro::platform::reserve(page_bytes);
    const bool is_told = saguaro::platform::pages_present(untouched, page_bytes) == 0U;
    saguaro::platform::release(untouched, page_bytes);
    if (!is_told)
        GTEST_SKIP() << "skipped: the kernel does not tell which pages are in memory";
    const pid_t child = fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
        for (const long call : {SYS_move_pages, SYS_get_mempolicy, SYS_mbind})
            forbid_call(call);
        constexpr std::size_t size = std::size_t{40} << 20, written = std::size_t{3} << 20;
        const auto count = [] {
            sg_place_counts counts;
            sg_place_statistics(&counts);
            return counts;
        };
        void *const block = sg_malloc_local(size);
        const sg_place_counts before = count();
        std::memset(block, 1, written);
        const sg_place_counts after = count();
        const bool one_node = all_nodes().size() == 1;
        const std::size_t more = one_node ? written / page_bytes : 0;
        const std::size_t unknown = one_node ? 0 : after.pool_bytes / page_bytes;
        const int node = one_node ? all_nodes().front() : -1;
        _exit(after.pages_present == before.pages_present + more &&
                      after.pages_unknown == unknown && after.pages_elsewhere == 0 &&
                      sg_node_of(block) == node
                  ? 0
                  : 1);
    }
    expect_good_end(child);
}
#endif

TEST(pages, of_another_machine_are_refused) {
    errno = 0;
    EXPECT_EQ(sg_malloc_place(page_bytes, sg_layout_on_node(1023)), nullptr);
    EXPECT_EQ(errno, EINVAL);
}

TEST(local_pages, lie_where_the_thread_is_bound) {
    std::vector<int> cpus(sg_place_cpus(nullptr, 0));
    sg_place_cpus(cpus.data(), cpus.size());
    ASSERT_FALSE(cpus.empty());
    for (const int cpu : cpus)
        std::thread([cpu] {
            if (!saguaro::platform::pin_to_cpu(cpu))
                return;
            EXPECT_EQ(sg_self_cpu(), cpu);
            for (const std::size_t size :
                 {std::size_t{64}, std::size_t{1} << 16, std::size_t{3} << 20}) {
                void *const p = sg_malloc_local(size);
                std::memset(p, 1, size);
                EXPECT_EQ(sg_node_of(p), sg_self_node());
                sg_free_place(p);
            }
        }).join();
    sg_place_counts counts;
    sg_place_statistics(&counts);
    EXPECT_EQ(counts.pages_elsewhere, 0U);
    EXPECT_EQ(counts.refused_bytes, 0U);
    EXPECT_GT(counts.pages_present, 0U);
}
