// SPDX-License-Identifier: MIT
// Tests of simulated machines: nodes, links and latencies.
#include "engine/machine.hpp"

#include "sim/support.hpp"

#include <gtest/gtest.h>

namespace saguaro::sim {
namespace {

TEST(machines, uniform_one_has_one_node_and_no_links) {
    const machine flat = uniform_machine(4);
    EXPECT_EQ(flat.workers(), 4u);
    EXPECT_EQ(flat.nodes(), 1u);
    EXPECT_TRUE(flat.levels().empty());
    EXPECT_EQ(flat.latency_of_workers(0, 3), 1.0);
}

TEST(machines, workers_sit_on_processors_in_turn) {
    if (!is_hwloc_here())
        GTEST_SKIP() << "hwloc is missing";
    const machine two = described_machine("pack:2 numa:1 core:2 pu:1", 6);
    const std::vector<unsigned> nodes{0, 0, 1, 1, 0, 0};
    for (unsigned worker = 0; worker < 6; ++worker)
        EXPECT_EQ(two.node_of(worker), nodes[worker]) << worker;
    EXPECT_EQ(two.latency(0, 1), 2.0);
    EXPECT_EQ(two.latency(1, 1), 1.0);
}

TEST(machines, nodes_have_the_kernels_numbers) {
    if (!is_hwloc_here())
        GTEST_SKIP() << "hwloc is missing";
    const machine two = described_machine("numa:2(indexes=0,8) core:2 pu:1", 4);
    EXPECT_EQ(two.node_numbers(), (std::vector<int>{0, 8}));
    EXPECT_EQ(two.find_node(8), 1u);
    EXPECT_FALSE(two.find_node(1));
    EXPECT_FALSE(two.find_node(UINT64_MAX));
}

TEST(machines, nodes_without_workers_count) {
    if (!is_hwloc_here())
        GTEST_SKIP() << "hwloc is missing";
    EXPECT_EQ(described_machine("pack:4 numa:1 core:2 pu:1", 2).nodes(), 4u);
}

// Two groups of two nodes: a link for each node to the other one of its group, and a link for each
// group to the other group.
TEST(machines, levels_of_links_follow_distances) {
    if (!is_hwloc_here())
        GTEST_SKIP() << "hwloc is missing";
    const machine four = described_machine("group:2 pack:2 numa:1 core:1 pu:1", 4);
    ASSERT_EQ(four.levels(), (std::vector<double>{2, 3}));
    EXPECT_EQ(four.links(0), 4u);
    EXPECT_EQ(four.links(1), 2u);
    EXPECT_EQ(four.link(1, 0), four.link(1, 1));
    EXPECT_NE(four.link(1, 1), four.link(1, 2));
    EXPECT_EQ(four.crossed(0, 0), 0u);
    EXPECT_EQ(four.crossed(0, 1), 1u);
    EXPECT_EQ(four.crossed(0, 2), 2u);
    EXPECT_EQ(four.crossed(3, 0), 2u);
}

TEST(machines, latencies_are_the_firmware_s) {
    if (!is_hwloc_here())
        GTEST_SKIP() << "hwloc is missing";
    const auto topology = platform::topology::from_xml(SG_TEST_DATA "/four-sockets.xml");
    ASSERT_TRUE(topology);
    const machine four = described_machine(SG_TEST_DATA "/four-sockets.xml", 8);
    for (unsigned a = 0; a < 8; ++a)
        for (unsigned b = 0; b < 8; ++b)
            EXPECT_EQ(four.latency_of_workers(a, b),
                      platform::latency_of(topology->distance(four.cpus()[a], four.cpus()[b])) /
                          10.0);
}

} // namespace
} // namespace saguaro::sim
