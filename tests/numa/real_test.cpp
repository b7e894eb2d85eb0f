// SPDX-License-Identifier: MIT
// This machine, with its own kernel.
#include "platform/memory.hpp"
#include "platform/thread.hpp"

#include <gtest/gtest.h>
#include <saguaro/place.h>

#include <cerrno>
#include <cstring>
#include <thread>
#include <vector>

namespace {

const std::size_t page = saguaro::platform::page_size();

std::vector<int> all_nodes() {
    std::vector<int> nodes(sg_place_nodes(nullptr, 0));
    sg_place_nodes(nodes.data(), nodes.size());
    return nodes;
}

// A kernel without NUMA answers for every address.
bool kernel_knows_pages() {
    void *const untouched = saguaro::platform::reserve(page);
    const bool knows = sg_node_of(untouched) == -1;
    saguaro::platform::release(untouched, page);
    return knows;
}

} // namespace

TEST(pages, lie_where_the_layout_says) {
    for (const int node : all_nodes()) {
        auto *const p = static_cast<char *>(sg_malloc_place(5 * page, sg_layout_on_node(node)));
        ASSERT_NE(p, nullptr) << std::strerror(errno);
        for (std::size_t i = 0; i < 5; ++i)
            EXPECT_EQ(sg_node_of(p + i * page), node);
        sg_free_place(p);
    }
}

TEST(pages, that_nobody_has_touched_have_no_node) {
    if (!kernel_knows_pages())
        GTEST_SKIP() << "skipped: the kernel does not know where pages are";
    auto *const p = static_cast<char *>(saguaro::platform::reserve(2 * page));
    errno = 0;
    EXPECT_EQ(sg_node_of(p), -1);
    EXPECT_EQ(errno, ENOENT);
    p[0] = 1;
    EXPECT_GE(sg_node_of(p + 1), 0);
    saguaro::platform::release(p, 2 * page);
    EXPECT_EQ(sg_node_of(p), -1);
    EXPECT_TRUE(errno == EFAULT || errno == ENOENT);
}

TEST(pages, of_another_machine_are_refused) {
    errno = 0;
    EXPECT_EQ(sg_malloc_place(page, sg_layout_on_node(1023)), nullptr);
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
