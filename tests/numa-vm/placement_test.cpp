// SPDX-License-Identifier: MIT
// place.h on four nodes, by a kernel that places. The cases `fewer` are run where the control group
// forbids node 3.
#include "numa-vm/support.hpp"

#include <saguaro/place.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <string>
#include <vector>

using four_nodes::node_of;
using four_nodes::on_node;

namespace {

const std::size_t page = saguaro::platform::page_size();

std::vector<int> placed(std::size_t pages, sg_layout layout) {
    auto *const p = static_cast<char *>(sg_malloc_place(pages * page, layout));
    if (p == nullptr)
        return {};
    std::vector<int> found;
    for (std::size_t i = 0; i < pages; ++i) {
        found.push_back(node_of(p + i * page));
        EXPECT_EQ(sg_node_of(p + i * page), found.back());
    }
    sg_free_place(p);
    return found;
}

sg_place_counts statistics() {
    sg_place_counts counts;
    sg_place_statistics(&counts);
    return counts;
}

std::vector<int> numbers(std::size_t (*list)(int *, std::size_t)) {
    std::vector<int> found(list(nullptr, 0));
    list(found.data(), found.size());
    return found;
}

// Blocks that fill a node, freed at the end.
class full_node {
public:
    explicit full_node(int node) {
        for (std::size_t bytes : {std::size_t{4} << 20, std::size_t{256} << 10, page})
            while (void *const p = sg_malloc_place(bytes, sg_layout_on_node(node)))
                blocks_.push_back(p);
        error = errno;
    }
    ~full_node() {
        for (void *each : blocks_)
            sg_free_place(each);
    }
    std::size_t blocks() const { return blocks_.size(); }
    int error;

private:
    std::vector<void *> blocks_;
};

} // namespace

TEST(machine, is_the_one_described) {
    EXPECT_EQ(numbers(sg_place_nodes), (std::vector{0, 1, 2, 3}));
    EXPECT_EQ(numbers(sg_place_cpus), (std::vector{0, 1, 2, 3, 4, 5, 6, 7}));
    EXPECT_EQ(statistics().cpus_without_memory, 0U);
    for (int node = 0; node < four_nodes::nodes; ++node)
        on_node(node, [node] {
            EXPECT_EQ(sg_self_cpu(), node * four_nodes::cpus_of_node);
            EXPECT_EQ(sg_self_node(), node);
        });
}

TEST(layouts, are_what_the_kernel_did) {
    const int list[] = {3, 1, 1};
    const auto function = [](void *, std::size_t i) { return static_cast<int>(i * i % 4); };
    EXPECT_EQ(placed(3, sg_layout_on_node(2)), (std::vector{2, 2, 2}));
    EXPECT_EQ(placed(5, sg_layout_round_robin(nullptr, 0)), (std::vector{0, 1, 2, 3, 0}));
    EXPECT_EQ(placed(7, sg_layout_round_robin(list, 3)), (std::vector{3, 1, 1, 3, 1, 1, 3}));
    EXPECT_EQ(placed(6, sg_layout_blocked(nullptr, 0)), (std::vector{0, 0, 1, 1, 2, 3}));
    EXPECT_EQ(placed(4, sg_layout_by_page(function, nullptr)), (std::vector{0, 1, 0, 1}));
}

TEST(layouts, place_whoever_calls) {
    for (int node = 0; node < four_nodes::nodes; ++node)
        on_node(node, [node] {
            EXPECT_EQ(placed(1, sg_layout_on_node(3 - node)), (std::vector{3 - node}));
        });
}

TEST(local, lies_where_the_thread_runs) {
    for (int node = 0; node < four_nodes::nodes; ++node)
        on_node(node, [node] {
            for (const std::size_t size :
                 {std::size_t{64}, std::size_t{5000}, std::size_t{1} << 18, std::size_t{3} << 20}) {
                auto *const p = static_cast<char *>(sg_malloc_local(size));
                std::memset(p, 1, size);
                EXPECT_EQ(node_of(p), node);
                EXPECT_EQ(node_of(p + size - 1), node);
                sg_free_place(p);
            }
        });
    const sg_place_counts counts = statistics();
    EXPECT_GT(counts.pages_present, 0U);
    EXPECT_EQ(counts.pages_elsewhere, 0U);
    EXPECT_EQ(counts.pages_unknown, 0U);
    EXPECT_EQ(counts.refused_bytes, 0U);
}

// Also where another node touches the block first.
TEST(local, is_where_it_was_asked_for) {
    void *block = nullptr;
    on_node(1, [&] { block = sg_malloc_local(1 << 18); });
    on_node(2, [&] { std::memset(block, 1, 1 << 18); });
    EXPECT_EQ(node_of(static_cast<char *>(block) + (1 << 17)), 1);
    sg_free_place(block);
}

TEST(local, goes_home_when_another_node_frees_it) {
    constexpr std::size_t size = 60000;
    constexpr int count = 40;
    std::vector<void *> blocks;
    on_node(1, [&] {
        for (int i = 0; i < count; ++i)
            blocks.push_back(std::memset(sg_malloc_local(size), 1, size));
    });
    on_node(2, [&] {
        for (void *each : blocks)
            sg_free_place(each);
        for (int i = 0; i < count; ++i)
            EXPECT_EQ(node_of(std::memset(sg_malloc_local(size), 1, size)), 2); // stay taken
    });
    std::sort(blocks.begin(), blocks.end());
    int again = 0;
    on_node(1, [&] {
        for (int i = 0; i < count; ++i) {
            void *const p = sg_malloc_local(size);
            again += std::binary_search(blocks.begin(), blocks.end(), p);
            EXPECT_EQ(node_of(std::memset(p, 1, size)), 1);
        }
    });
    EXPECT_GE(again, count - 5);
}

TEST(full, node_refuses_and_serves_again) {
    const std::size_t failed = statistics().failed_placements;
    {
        const full_node filled(3);
        EXPECT_GT(filled.blocks(), 10U);
        EXPECT_EQ(filled.error, ENOSPC);
        EXPECT_GT(statistics().failed_placements, failed);
        EXPECT_EQ(placed(1, sg_layout_on_node(0)), std::vector{0});
        // What is local goes elsewhere, and is counted.
        on_node(3, [] {
            auto *const p = static_cast<char *>(sg_malloc_local(2 << 20));
            ASSERT_NE(p, nullptr);
            std::memset(p, 1, 2 << 20);
            EXPECT_GT(statistics().pages_elsewhere, 0U);
            sg_free_place(p);
        });
    }
    EXPECT_EQ(placed(2, sg_layout_on_node(3)), (std::vector{3, 3}));
}

TEST(fewer, nodes_than_there_are) {
    EXPECT_EQ(numbers(sg_place_nodes), (std::vector{0, 1, 2}));
    EXPECT_EQ(statistics().cpus_without_memory, 2U);
    errno = 0;
    EXPECT_EQ(sg_malloc_place(page, sg_layout_on_node(3)), nullptr);
    EXPECT_EQ(errno, EINVAL);
    EXPECT_EQ(placed(4, sg_layout_round_robin(nullptr, 0)), (std::vector{0, 1, 2, 0}));
    on_node(3, [] {
        EXPECT_EQ(sg_self_node(), 3);
        void *const p = sg_malloc_local(100);
        EXPECT_EQ(node_of(p), 0); // as near as node 2
        sg_free_place(p);
    });
    EXPECT_EQ(statistics().pages_elsewhere, 0U);
}
