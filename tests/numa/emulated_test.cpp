// SPDX-License-Identifier: MIT
// Placement on an emulated machine with several nodes, and on one that refuses.
#include "numa/emulated.hpp"

#include "numa/classes.hpp"
#include "numa/machine.hpp"
#include "numa/whereabouts.hpp"
#include "platform/available_memory.hpp"
#include "platform/cpus.hpp"
#include "platform/memory.hpp"

#include <gtest/gtest.h>
#include <saguaro/place.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

SG_BEFORE_CASES(emulated::install)

namespace numa = saguaro::numa;

namespace {

const std::size_t page = saguaro::platform::page_size();

std::vector<int> nodes_of_pages(void *p, std::size_t pages) {
    std::vector<int> nodes;
    for (std::size_t i = 0; i < pages; ++i)
        nodes.push_back(sg_node_of(static_cast<char *>(p) + i * page));
    return nodes;
}

std::vector<int> placed(std::size_t pages, sg_layout layout) {
    void *const p = sg_malloc_place(pages * page, layout);
    if (p == nullptr)
        return {};
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(p) % page, 0U);
    std::vector<int> nodes = nodes_of_pages(p, pages);
    sg_free_place(p);
    return nodes;
}

sg_place_counts statistics() {
    sg_place_counts counts;
    sg_place_statistics(&counts);
    return counts;
}

int error_of(sg_layout layout) {
    errno = 0;
    void *const p = sg_malloc_place(3 * page, layout);
    EXPECT_EQ(p, nullptr);
    sg_free_place(p);
    return errno;
}

void on_node(int node, auto &&what) {
    std::thread([&] {
        emulated::run_on(node);
        what();
    }).join();
}

class emulation : public testing::Test {
protected:
    void TearDown() override { emulated::describe(); }
};
using machines = emulation;
using layouts = emulation;
using refusals = emulation;
using local_memory = emulation;

} // namespace

TEST_F(machines, nodes_are_those_the_group_allows) {
    int nodes[3] = {-1, -1, -1};
    EXPECT_EQ(sg_place_nodes(nodes, 2), 4U);
    EXPECT_EQ(nodes[0], 0);
    EXPECT_EQ(nodes[1], 1);
    EXPECT_EQ(nodes[2], -1);
    EXPECT_EQ(numa::machine::here().nodes(), (std::vector{0, 1, 2, 5}));
}

TEST_F(machines, cpus_are_those_the_process_may_use) {
    std::vector<int> cpus(sg_place_cpus(nullptr, 0));
    sg_place_cpus(cpus.data(), cpus.size());
    EXPECT_EQ(cpus, saguaro::platform::allowed_cpus());
    // Processor 1 belongs to the forbidden node.
    EXPECT_EQ(statistics().cpus_without_memory,
              static_cast<std::size_t>(
                  std::count_if(cpus.begin(), cpus.end(), [](int c) { return c == 1 || c == 7; })));
}

TEST_F(machines, thread_knows_its_processor_and_node) {
    for (const int node : {0, 1, 2, 3, 5})
        on_node(node, [node] {
            EXPECT_EQ(sg_self_cpu(), emulated::cpu);
            EXPECT_EQ(sg_self_node(), node);
        });
}

TEST_F(machines, forbidden_node_is_served_by_its_nearest) {
    EXPECT_EQ(numa::machine::here().near_index(7), 3U); // 15 to node 5, 20 to node 2
}

TEST_F(machines, kernel_without_nodes_is_node_0) {
    emulated::it().files.clear();
    emulated::it().refuse_allowed = ENOSYS;
    const numa::machine flat = numa::machine::read();
    EXPECT_EQ(flat.nodes(), std::vector{0});
    EXPECT_TRUE(flat.has_one_node());
    EXPECT_EQ(flat.node_of_cpu(3), 0);
    EXPECT_EQ(flat.near_index(3), 0U);
    EXPECT_EQ(flat.cpus_without_memory(), 0U);
}

TEST_F(machines, refused_question_leaves_all_nodes) {
    emulated::it().refuse_allowed = EPERM;
    EXPECT_EQ(numa::machine::read().nodes(), (std::vector{0, 1, 2, 3, 5}));
}

TEST_F(machines, only_node_may_have_another_number) {
    emulated::it().allowed = {};
    emulated::it().allowed.add(5);
    const numa::machine one = numa::machine::read();
    EXPECT_EQ(one.nodes(), std::vector{5});
    EXPECT_EQ(one.index_of(5), 0);
    EXPECT_EQ(one.index_of(0), -1);
}

TEST_F(machines, only_node_online_has_all_processors) {
    emulated::it().files = {{"online", "5\n"}};
    emulated::it().allowed = {};
    const numa::machine one = numa::machine::read();
    EXPECT_EQ(one.nodes(), std::vector{5});
    EXPECT_EQ(one.node_of_cpu(3), 5);
    EXPECT_EQ(one.near_index(3), 0U);
    EXPECT_EQ(one.cpus_without_memory(), 0U);
}

TEST_F(machines, processors_that_no_node_lists_belong_to_the_first) {
    emulated::it().allowed = {};
    emulated::it().allowed.add(5);
    emulated::it().files["node5/cpulist"] = "12\n";
    const numa::machine one = numa::machine::read();
    for (const int cpu : {10, 11, 13, 1000})
        EXPECT_EQ(one.node_of_cpu(cpu), 5) << cpu;
    EXPECT_EQ(one.node_of_cpu(12), 5);
    EXPECT_EQ(one.node_of_cpu(3), 1); // which does not take part
}

TEST_F(machines, free_memory_is_unknown_where_a_node_does_not_tell) {
    for (const int node : {0, 1, 2, 5})
        emulated::it().files["node" + std::to_string(node) + "/meminfo"] =
            "Node 0 MemTotal: 9000 kB\nNode 0 MemFree: 1000 kB\n";
    EXPECT_EQ(numa::machine::here().free_bytes(), std::uint64_t{4000} << 10);
    emulated::it().files["node2/meminfo"] = "Node 2 MemTotal: 9000 kB\n";
    EXPECT_EQ(numa::machine::here().free_bytes(), UINT64_MAX);
}

TEST_F(layouts, one_node) {
    EXPECT_EQ(placed(3, sg_layout_on_node(5)), (std::vector{5, 5, 5}));
}

TEST_F(layouts, round_robin_goes_around) {
    const int nodes[] = {5, 1, 1};
    EXPECT_EQ(placed(7, sg_layout_round_robin(nodes, 3)), (std::vector{5, 1, 1, 5, 1, 1, 5}));
    EXPECT_EQ(placed(6, sg_layout_round_robin(nullptr, 0)), (std::vector{0, 1, 2, 5, 0, 1}));
}

TEST_F(layouts, blocks_differ_by_a_page_at_most) {
    const int nodes[] = {2, 0, 5};
    EXPECT_EQ(placed(8, sg_layout_blocked(nodes, 3)), (std::vector{2, 2, 2, 0, 0, 0, 5, 5}));
    EXPECT_EQ(placed(2, sg_layout_blocked(nodes, 3)), (std::vector{2, 0}));
    EXPECT_EQ(placed(8, sg_layout_blocked(nullptr, 0)), (std::vector{0, 0, 1, 1, 2, 2, 5, 5}));
}

TEST_F(layouts, function_chooses_each_page) {
    const int nodes[] = {5, 5, 0, 2, 2, 1};
    const auto choose = [](void *context, std::size_t i) { return static_cast<int *>(context)[i]; };
    EXPECT_EQ(placed(6, sg_layout_by_page(choose, const_cast<int *>(nodes))),
              (std::vector{5, 5, 0, 2, 2, 1}));
}

TEST_F(layouts, may_be_the_programs_own) {
    sg_layout own{};
    own.node = 2;
    own.node_of_page = [](const sg_layout *layout, std::size_t page, std::size_t pages) {
        return page + 1 < pages ? layout->node : 0;
    };
    EXPECT_EQ(placed(3, own), (std::vector{2, 2, 0}));
}

TEST_F(layouts, of_no_bytes_has_a_page) {
    auto *const p = static_cast<char *>(sg_malloc_place(0, sg_layout_on_node(2)));
    ASSERT_NE(p, nullptr);
    EXPECT_EQ(sg_node_of(p), 2);
    p[page - 1] = 1;
    sg_free_place(p);
}

// What is asked for each page of a recording's objects: the kernel only where no rule tells.
TEST_F(layouts, are_known_of_their_blocks) {
    const int all[] = {0, 1, 2, 5}, others[] = {1, 0, 2, 5};
    const auto first = [](sg_layout layout) {
        void *const p = sg_malloc_place(8 * page, layout);
        const auto found = numa::find(static_cast<char *>(p) + page + 1);
        const auto begin = found->begin - reinterpret_cast<std::uintptr_t>(p);
        EXPECT_EQ(found->end - found->begin, begin == 0 ? 8 * page : page);
        sg_free_place(p);
        return std::pair(found->how, found->node);
    };
    EXPECT_EQ(first(sg_layout_on_node(5)), std::pair(numa::spread::one_node, 5));
    for (const sg_layout &each : {sg_layout_round_robin(nullptr, 0), sg_layout_round_robin(all, 4)})
        EXPECT_EQ(first(each).first, numa::spread::round_robin);
    for (const sg_layout &each : {sg_layout_blocked(nullptr, 0), sg_layout_blocked(all, 4)})
        EXPECT_EQ(first(each).first, numa::spread::blocked);
    // The page alone is known of lists of the program's own.
    EXPECT_EQ(first(sg_layout_round_robin(others, 4)), std::pair(numa::spread::one_node, 0));
    EXPECT_EQ(first(sg_layout_round_robin(all, 2)), std::pair(numa::spread::one_node, 1));
    EXPECT_EQ(first(sg_layout_blocked(others, 4)), std::pair(numa::spread::one_node, 1));
    EXPECT_EQ(first(sg_layout_blocked(all, 2)), std::pair(numa::spread::one_node, 0));
}

TEST_F(layouts, neighbours_on_one_node_are_one_request) {
    const int before = emulated::it().prefers;
    placed(100, sg_layout_blocked(nullptr, 0));
    EXPECT_EQ(emulated::it().prefers, before + 4);
}

TEST_F(layouts, memory_is_zero_and_may_be_written) {
    constexpr std::size_t bytes = 40 << 20; // more than two segments
    auto *const p = static_cast<unsigned char *>(sg_malloc_place(bytes, sg_layout_on_node(1)));
    ASSERT_NE(p, nullptr);
    EXPECT_TRUE(std::all_of(p, p + bytes, [](unsigned char c) { return c == 0; }));
    std::memset(p, 1, bytes);
    sg_free_place(p);
}

TEST_F(refusals, node_that_does_not_take_part) {
    const std::size_t before = statistics().failed_placements;
    const int partly[] = {0, 3};
    const int none = 0;
    EXPECT_EQ(error_of(sg_layout_on_node(3)), EINVAL);
    EXPECT_EQ(error_of(sg_layout_on_node(4)), EINVAL);
    EXPECT_EQ(error_of(sg_layout_on_node(-1)), EINVAL);
    EXPECT_EQ(error_of(sg_layout_on_node(100000)), EINVAL);
    EXPECT_EQ(error_of(sg_layout_round_robin(partly, 2)), EINVAL);
    EXPECT_EQ(error_of(sg_layout_blocked(partly, 2)), EINVAL);
    EXPECT_EQ(error_of(sg_layout_blocked(&none, 0)), EINVAL);
    EXPECT_EQ(error_of(sg_layout_round_robin(&none, 0)), EINVAL);
    EXPECT_EQ(statistics().failed_placements, before + 8);
}

TEST_F(refusals, list_with_a_wrong_node_that_no_page_reaches) {
    const int partly[] = {0, 3};
    for (const sg_layout &each : {sg_layout_round_robin(partly, 2), sg_layout_blocked(partly, 2)}) {
        errno = 0;
        EXPECT_EQ(sg_malloc_place(1, each), nullptr);
        EXPECT_EQ(errno, EINVAL);
    }
}

TEST_F(refusals, count_without_a_list) {
    EXPECT_EQ(error_of(sg_layout_round_robin(nullptr, 3)), EINVAL);
    EXPECT_EQ(error_of(sg_layout_blocked(nullptr, 3)), EINVAL);
}

TEST_F(refusals, layout_without_its_function) {
    EXPECT_EQ(error_of(sg_layout_by_page(nullptr, nullptr)), EINVAL);
    EXPECT_EQ(error_of(sg_layout{}), EINVAL);
}

TEST_F(refusals, kernel_that_does_not_bind) {
    for (const int error : {EPERM, ENOSYS}) {
        emulated::it().refuse_prefer = error;
        EXPECT_EQ(error_of(sg_layout_on_node(1)), error);
    }
}

TEST_F(refusals, full_node) {
    emulated::it().full_node = 2;
    EXPECT_EQ(error_of(sg_layout_round_robin(nullptr, 0)), ENOSPC);
    EXPECT_EQ(placed(2, sg_layout_on_node(5)), (std::vector{5, 5}));
}

TEST_F(refusals, node_that_is_full_on_the_way) {
    emulated::it().full_node = 2;
    emulated::it().half_full = true;
    errno = 0;
    EXPECT_EQ(sg_malloc_place(100 * page, sg_layout_on_node(2)), nullptr);
    EXPECT_EQ(errno, ENOSPC);
}

namespace {

long pages_mapped() {
    long pages = 0;
    std::ifstream("/proc/self/statm") >> pages;
    return pages;
}

} // namespace

TEST_F(layouts, leave_no_addresses_behind) {
    constexpr std::size_t size = 8 << 20;
    const long before = pages_mapped();
    for (int i = 0; i < 10; ++i)
        sg_free_place(sg_malloc_place(size, sg_layout_on_node(1)));
    EXPECT_LT(pages_mapped() - before, static_cast<long>(3 * size / page));
}

TEST_F(refusals, leave_no_addresses_behind_on_the_way) {
    constexpr std::size_t size = 8 << 20;
    const auto throws = [](void *, std::size_t page) {
        return page == 0 ? 1 : throw std::runtime_error("no node");
    };
    emulated::it().full_node = 2;
    const long before = pages_mapped();
    for (int i = 0; i < 10; ++i) {
        EXPECT_EQ(sg_malloc_place(size, sg_layout_on_node(2)), nullptr);
        EXPECT_THROW(sg_malloc_place(size, sg_layout_by_page(throws, nullptr)), std::runtime_error);
    }
    EXPECT_LT(pages_mapped() - before, static_cast<long>(3 * size / page));
}

TEST_F(refusals, leave_no_addresses_behind) {
    constexpr std::size_t gigabyte = std::size_t{1} << 30;
    const long before = pages_mapped();
    for (int i = 0; i < 10; ++i)
        EXPECT_EQ(sg_malloc_place(gigabyte, sg_layout_on_node(3)), nullptr);
    EXPECT_LT(pages_mapped() - before, static_cast<long>(gigabyte / page));
}

TEST_F(refusals, kernel_that_does_not_tell) {
    const std::size_t before = statistics().unverified_pages;
    emulated::it().refuse_nodes_of = EPERM;
    void *const p = sg_malloc_place(3 * page, sg_layout_on_node(1));
    ASSERT_NE(p, nullptr);
    EXPECT_EQ(sg_node_of(p), -1);
    EXPECT_EQ(errno, EPERM);
    const sg_place_counts counts = statistics();
    EXPECT_EQ(counts.unverified_pages, before + 3);
    EXPECT_EQ(counts.pages_unknown, counts.pool_bytes / page);
    sg_free_place(p);
}

TEST_F(refusals, page_whose_node_is_unknown_has_none) {
    const auto node_of = [](void *, std::size_t) { return 1; };
    void *const p = sg_malloc_place(page, sg_layout_by_page(node_of, nullptr));
    ASSERT_NE(p, nullptr);
    EXPECT_EQ(numa::find(p)->how, numa::spread::one_node);
    EXPECT_EQ(numa::find(p)->node, 1);
    emulated::it().refuse_nodes_of = EPERM;
    errno = 0;
    EXPECT_EQ(numa::find(p)->how, numa::spread::otherwise);
    EXPECT_EQ(numa::find(p)->node, 0);
    EXPECT_EQ(errno, 0);
    sg_free_place(p);
}

TEST_F(refusals, size_beyond_all_memory) {
    for (const std::size_t size : {SIZE_MAX, SIZE_MAX / 2, std::size_t{PTRDIFF_MAX / 2}}) {
        errno = 0;
        EXPECT_EQ(sg_malloc_place(size, sg_layout_on_node(0)), nullptr);
        EXPECT_EQ(errno, ENOMEM);
        errno = 0;
        EXPECT_EQ(sg_malloc_local(size), nullptr);
        EXPECT_EQ(errno, ENOMEM);
    }
}

TEST_F(refusals, are_counted_whatever_the_reason) {
    const std::size_t before = statistics().failed_placements;
    EXPECT_EQ(sg_malloc_place(SIZE_MAX, sg_layout_on_node(0)), nullptr);
    EXPECT_EQ(sg_malloc_place(PTRDIFF_MAX / 2, sg_layout_on_node(0)), nullptr);
    EXPECT_EQ(sg_malloc_place(page, sg_layout_by_page(nullptr, nullptr)), nullptr);
    EXPECT_EQ(statistics().failed_placements, before + 3);
}

// Below the address space, so that nothing but the memory is missing. No page may be asked for.
TEST_F(refusals, size_beyond_the_machines_memory) {
    const auto node_of = [](void *context, std::size_t) { return ++*static_cast<int *>(context); };
    int asked = 0;
    for (const int power : {45, 46}) {
        errno = 0;
        EXPECT_EQ(sg_malloc_place(std::size_t{1} << power, sg_layout_by_page(node_of, &asked)),
                  nullptr);
        EXPECT_EQ(errno, ENOMEM);
    }
    EXPECT_EQ(asked, 0);
}

TEST_F(refusals, size_beyond_the_memory_of_the_nodes_that_take_part) {
    const auto meminfo = [](int node, const std::string &free) {
        emulated::it().files["node" + std::to_string(node) + "/meminfo"] =
            "\nNode 0 MemTotal:  900000 kB\nNode 0 MemFree: " + free +
            " kB\nNode 0 Active(file): 4096 kB\nNode 0 Inactive(file): 3072 kB\n"
            "Node 0 FilePages: 50000 kB\nNode 0 SReclaimable: 1024 kB\nNode 0 HugePages_Free: 0\n";
    };
    for (const int node : {0, 1, 2, 5})
        meminfo(node, "8192");
    meminfo(3, "16777216"); // does not take part
    EXPECT_EQ(numa::machine::here().free_bytes(), std::size_t{64} << 20);
    const std::size_t swap = saguaro::platform::available_memory("").in_swap;
    const int before = emulated::it().prefers;
    errno = 0;
    EXPECT_EQ(sg_malloc_place((std::size_t{65} << 20) + swap, sg_layout_on_node(1)), nullptr);
    EXPECT_EQ(errno, ENOMEM);
    EXPECT_EQ(emulated::it().prefers, before);
    void *const fits = sg_malloc_place(std::size_t{60} << 20, sg_layout_on_node(1));
    EXPECT_NE(fits, nullptr);
    sg_free_place(fits);
}

TEST_F(local_memory, lies_where_the_thread_runs) {
    for (const std::size_t size :
         {std::size_t{0}, std::size_t{64}, std::size_t{70000}, std::size_t{1} << 20,
          (std::size_t{1} << 20) + 1, std::size_t{20} << 20})
        for (const auto &[node, expected] : {std::pair{0, 0}, {1, 1}, {2, 2}, {3, 5}, {5, 5}})
            on_node(node, [&] {
                void *const p = sg_malloc_local(size);
                ASSERT_NE(p, nullptr);
                EXPECT_EQ(sg_node_of(p), expected) << size;
                EXPECT_EQ(sg_node_of(static_cast<char *>(p) + (size == 0 ? 0 : size - 1)),
                          expected);
                sg_free_place(p);
            });
}

TEST_F(local_memory, follows_a_thread_that_moves) {
    on_node(0, [] {
        for (const int node : {0, 5, 1, 0}) {
            emulated::run_on(node);
            void *const p = sg_malloc_local(100);
            EXPECT_EQ(sg_node_of(p), node);
            sg_free_place(p);
        }
    });
}

TEST_F(local_memory, goes_home_when_another_node_frees_it) {
    constexpr std::size_t size = 3000;
    constexpr std::size_t count = 500;
    std::vector<void *> blocks;
    on_node(1, [&] {
        for (std::size_t i = 0; i < count; ++i)
            blocks.push_back(sg_malloc_local(size));
    });
    on_node(2, [&] {
        for (void *each : blocks)
            sg_free_place(each);
        for (std::size_t i = 0; i < count; ++i)
            EXPECT_EQ(sg_node_of(sg_malloc_local(size)), 2); // keeps them: none is of node 1
    });
    std::sort(blocks.begin(), blocks.end());
    std::size_t again = 0;
    on_node(1, [&] {
        for (std::size_t i = 0; i < count; ++i)
            again += std::binary_search(blocks.begin(), blocks.end(), sg_malloc_local(size));
    });
    // The others are what the first thread had taken from the pool beyond its need.
    EXPECT_GE(again, count - saguaro::numa::most_kept(size));
}

TEST_F(local_memory, chains_that_grow_go_home_before_the_thread_ends) {
    constexpr std::size_t size = 60000;
    std::vector<void *> blocks;
    on_node(5, [&] {
        for (int i = 0; i < 10; ++i)
            blocks.push_back(sg_malloc_local(size));
    });
    for (void *each : blocks)
        sg_free_place(each); // this thread keeps two or three
    std::sort(blocks.begin(), blocks.end());
    int again = 0;
    on_node(5, [&] {
        for (int i = 0; i < 10; ++i)
            again += std::binary_search(blocks.begin(), blocks.end(), sg_malloc_local(size));
    });
    EXPECT_GE(again, 7);
}

TEST_F(local_memory, is_elsewhere_and_counted_where_binding_is_refused) {
    const sg_place_counts before = statistics();
    EXPECT_EQ(before.refused_bytes, 0U);
    emulated::it().refuse_prefer = EPERM;
    void *const p = sg_malloc_local(5 << 20);
    ASSERT_NE(p, nullptr);
    std::memset(p, 1, 5 << 20);
    const sg_place_counts counts = statistics();
    EXPECT_EQ(counts.refused_bytes, (5U << 20) + page);
    EXPECT_EQ(counts.pool_bytes, before.pool_bytes + counts.refused_bytes);
    sg_free_place(p);
    EXPECT_EQ(statistics().refused_bytes, 0U);
}

TEST_F(local_memory, pages_of_a_full_node_are_counted) {
    emulated::it().full_node = 2;
    const std::size_t before = statistics().pages_elsewhere;
    void *p = nullptr;
    on_node(2, [&] { p = sg_malloc_local(2 << 20); });
    EXPECT_EQ(statistics().pages_elsewhere, before + (2U << 20) / page + 1);
    sg_free_place(p);
    EXPECT_EQ(statistics().pages_elsewhere, before);
}
