// SPDX-License-Identifier: MIT
// Tests of where simulated pages lie and how long their lines take.
#include "engine/memory.hpp"

#include "sim/support.hpp"

#include <gtest/gtest.h>

namespace saguaro::sim {
namespace {

constexpr std::uint64_t pages = 8;

// Two nodes, where the other one's memory takes twice as long; channels without bound.
class places : public testing::Test {
protected:
    void SetUp() override {
        if (!is_hwloc_here())
            GTEST_SKIP() << "hwloc is missing";
        cost.line = 10;
        cost.node_bandwidth = 0;
        cost.link_bandwidth = {0};
    }

    memory make(layout where, unsigned node = 0) {
        memory made(two, cost, {});
        made.make({0, pages * page_bytes, where, node}, false);
        return made;
    }
    // How much longer a line of the page takes node 0: 0 if it is its own, else the line's time.
    static std::vector<ps> seen_from_node_0(memory &m) {
        std::vector<ps> all;
        for (std::uint64_t page = 0; page < pages; ++page)
            all.push_back(m.touch({0, page * page_bytes, line_bytes}, 0, 0, 0) / a_nanosecond);
        return all;
    }

    const machine two =
        is_hwloc_here() ? described_machine("pack:2 numa:1 core:1 pu:1", 2) : uniform_machine(2);
    costs cost;
};

TEST_F(places, on_a_node) {
    memory here = make(layout::on_node, 0);
    EXPECT_EQ(seen_from_node_0(here), (std::vector<ps>{0, 0, 0, 0, 0, 0, 0, 0}));
    memory there = make(layout::on_node, 1);
    EXPECT_EQ(seen_from_node_0(there), (std::vector<ps>{10, 10, 10, 10, 10, 10, 10, 10}));
}

TEST_F(places, node_that_the_machine_has_not_wraps_and_is_counted) {
    memory odd = make(layout::on_node, 3);
    EXPECT_EQ(seen_from_node_0(odd).front(), 10);
    EXPECT_EQ(odd.seen().wrapped_nodes, 1u);
    EXPECT_EQ(make(layout::on_node, 2).seen().wrapped_nodes, 1u);
    EXPECT_EQ(make(layout::on_node, 1).seen().wrapped_nodes, 0u);
}

// The table of all its pages would be 64 GB.
TEST_F(places, object_may_be_as_large_as_all_addresses) {
    memory m(two, cost, {});
    m.make({0, most_object_bytes, layout::first_touch, 0}, false);
    const std::uint64_t last = most_object_bytes - page_bytes;
    EXPECT_EQ(m.touch({0, last, line_bytes}, 1, 0, 0), 0);
    EXPECT_EQ(m.touch({0, last, line_bytes}, 0, 0, 0), 10 * a_nanosecond);
    EXPECT_EQ(m.touch({0, 0, line_bytes}, 0, 0, 0), 0);
}

TEST_F(places, round_robin) {
    memory m = make(layout::round_robin);
    EXPECT_EQ(seen_from_node_0(m), (std::vector<ps>{0, 10, 0, 10, 0, 10, 0, 10}));
}

TEST_F(places, blocked) {
    memory m = make(layout::blocked);
    EXPECT_EQ(seen_from_node_0(m), (std::vector<ps>{0, 0, 0, 0, 10, 10, 10, 10}));
}

// place.h says the same of 9 pages on 4 nodes.
TEST_F(places, blocks_differ_by_a_page_at_most) {
    const machine four = described_machine("pack:4 numa:1 core:1 pu:1", 4);
    memory m(four, cost, {});
    m.make({0, 9 * page_bytes, layout::blocked, 0}, false);
    std::vector<unsigned> own(4);
    for (std::uint64_t page = 0; page < 9; ++page)
        for (unsigned node = 0; node < 4; ++node)
            own[node] += m.touch({0, page * page_bytes, line_bytes}, node, 0, 0) == 0;
    EXPECT_EQ(own, (std::vector<unsigned>{3, 2, 2, 2}));
}

TEST_F(places, first_touch_stays) {
    memory m = make(layout::first_touch);
    EXPECT_EQ(m.touch({0, page_bytes, 2 * page_bytes}, 1, 0, 0), 0);
    EXPECT_EQ(seen_from_node_0(m), (std::vector<ps>{0, 10, 10, 0, 0, 0, 0, 0}));
    // A freed object's pages are nobody's again.
    m.free(0);
    m.make({0, pages * page_bytes, layout::first_touch, 0}, false);
    EXPECT_EQ(m.touch({0, 0, page_bytes}, 1, 0, 0), 0);
}

TEST_F(places, placement_overrules_the_recording_but_not_for_local_temporaries) {
    memory m(two, cost, {layout::on_node, 1, true});
    m.make({0, page_bytes, layout::on_node, 0}, false);
    m.make({1, page_bytes, layout::on_node, 1}, true);
    EXPECT_GT(m.touch({0, 0, line_bytes}, 0, 0, 0), 0);
    EXPECT_EQ(m.touch({1, 0, line_bytes}, 0, 0, 0), 0);
    memory strict(two, cost, {layout::on_node, 1, false});
    strict.make({0, page_bytes, layout::on_node, 0}, true);
    EXPECT_GT(strict.touch({0, 0, line_bytes}, 0, 0, 0), 0);
}

TEST_F(places, lines_are_counted_whole_and_by_their_node) {
    memory m = make(layout::round_robin);
    // Bytes 60 to 4200: 64 lines of the first page, 2 of the second.
    EXPECT_EQ(m.touch({0, 60, 4141}, 0, 0, 0), 2 * 10 * a_nanosecond);
    EXPECT_EQ(m.seen().own_lines, 64u);
    EXPECT_EQ(m.seen().remote_lines, std::vector<std::uint64_t>{2});
    EXPECT_EQ(m.seen().distance, 20 * a_nanosecond);
}

// 64 GB/s are a line in a nanosecond.
TEST_F(places, memory_of_a_node_serves_one_after_the_other) {
    cost.node_bandwidth = 64;
    memory m = make(layout::on_node, 0);
    // Nobody else: the lines came while it worked.
    EXPECT_EQ(m.touch({0, 0, 10 * line_bytes}, 0, nanoseconds(100), nanoseconds(100)), 0);
    // Ten lines of the first have passed from 0 to 10 ns; these ten take until 20.
    EXPECT_EQ(m.touch({0, 0, 10 * line_bytes}, 0, nanoseconds(15), nanoseconds(15)),
              nanoseconds(5));
    EXPECT_EQ(m.seen().queues, nanoseconds(5));
    // What follows later finds it free.
    EXPECT_EQ(m.touch({0, 0, 10 * line_bytes}, 0, nanoseconds(50), nanoseconds(15)), 0);
}

TEST_F(places, link_is_as_slow_as_its_bandwidth) {
    cost.link_bandwidth = {32};
    memory m = make(layout::on_node, 1);
    // Twenty nanoseconds for ten lines through the link, of which the distance itself is 100.
    EXPECT_EQ(m.touch({0, 0, 10 * line_bytes}, 0, 0, 0), nanoseconds(100));
    cost.link_bandwidth = {1};
    memory slow = make(layout::on_node, 1);
    EXPECT_EQ(slow.touch({0, 0, 10 * line_bytes}, 0, 0, 0), nanoseconds(640));
    EXPECT_EQ(slow.seen().queues, nanoseconds(540));
    // A node's own lines pass no link.
    EXPECT_EQ(slow.touch({0, 0, 10 * line_bytes}, 1, 0, 0), 0);
}

// Two groups of two nodes. A line in a nanosecond within a group, and in 64 between the groups.
TEST_F(places, links_have_the_bandwidth_of_their_level) {
    const machine four = described_machine("group:2 pack:2 numa:1 core:1 pu:1", 4);
    cost.link_bandwidth = {64, 1};
    memory m(four, cost, {layout::on_node, 0, false});
    m.make({0, pages * page_bytes, layout::first_touch, 0}, false);
    // The distance of ten lines is 100 ns; they pass the link meanwhile.
    EXPECT_EQ(m.touch({0, 0, 10 * line_bytes}, 1, 0, 0), nanoseconds(100));
    EXPECT_EQ(m.touch({0, 0, 10 * line_bytes}, 2, 0, 0), nanoseconds(640));
}

TEST_F(places, object_that_is_not_there_costs_nothing) {
    memory m = make(layout::on_node, 1);
    m.free(0);
    EXPECT_EQ(m.touch({0, 0, line_bytes}, 0, 0, 0), 0);
    EXPECT_EQ(m.touch({7, 0, line_bytes}, 0, 0, 0), 0);
}

} // namespace
} // namespace saguaro::sim
