// SPDX-License-Identifier: MIT
// Tests of distances and nodes on synthetic machines and on this one.
#include "platform/topology.hpp"

#include "platform/cpus.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <bit>
#include <climits>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <sched.h>
#include <string>
#include <sys/syscall.h>
#include <unistd.h>

using saguaro::platform::allowed_cpus;
using saguaro::platform::topology;

namespace {

std::atomic<int> bindings{0};

} // namespace

// In place of the C library's, for hwloc too.
extern "C" int sched_setaffinity(pid_t thread, std::size_t bytes, const cpu_set_t *set) noexcept {
    ++bindings;
    return static_cast<int>(syscall(SYS_sched_setaffinity, thread, bytes, set));
}

namespace {

// Skips the test where hwloc is missing, which is a supported state.
#define SG_TOPOLOGY_OR_SKIP(name, description)                                                     \
    const std::optional<topology> name##_maybe = topology::from_synthetic(description);            \
    if (!name##_maybe)                                                                             \
        GTEST_SKIP() << "hwloc is missing";                                                        \
    const topology &name = *name##_maybe

} // namespace

TEST(synthetic_topology, knows_cores_caches_and_packages) {
    // Two packages of two caches of two cores of two hardware threads.
    SG_TOPOLOGY_OR_SKIP(machine, "pack:2 l3:2 core:2 pu:2");
    ASSERT_EQ(machine.cpus().size(), 16u);
    EXPECT_EQ(machine.distance(0, 0), saguaro::platform::same_core);
    EXPECT_EQ(machine.distance(0, 1), saguaro::platform::same_core);
    EXPECT_EQ(machine.distance(0, 2), saguaro::platform::same_cache);
    EXPECT_EQ(machine.distance(0, 3), saguaro::platform::same_cache);
    // One node of memory for the whole machine.
    EXPECT_EQ(machine.distance(0, 4), saguaro::platform::same_node);
    EXPECT_EQ(machine.distance(0, 8), saguaro::platform::same_node);
}

// hwloc takes 11 s for 8192 of them, and its time grows with the third power.
TEST(synthetic_topology, has_a_limit_of_processors) {
    for (const char *many :
         {"core:8192 pu:1", "pu:4097", "core:4097 pu:1", "core:99999999999999999999 pu:1",
          "core: 8192 pu:1", "pack:2 4096 pu:1", "4097", "core:0x2000 pu:1", "core:-1 pu:1",
          "(memory=1G) pack:2(memory=1G) core:64 pu:64", "pack:2 [numa] core:64 pu:64",
          "numa:4(indexes=0,1,2,3) core:1000 pu:2", "core:65536 pu:65536"}) {
        EXPECT_FALSE(topology::from_synthetic(many)) << many;
        EXPECT_EQ(topology::fault_of(many), "it has more than 4096 processors") << many;
    }
    for (const char *wrong :
         {"core:0 pu:1", "", "pack", ":", "(", "[", "core:(", "core:[4096]", "core:64 pu:64"})
        EXPECT_EQ(topology::fault_of(wrong), "") << wrong;
    SG_TOPOLOGY_OR_SKIP(machine, "pack:2 [numa(memory=9999)] core:128(indexes=8192,4*9000) pu:4");
    EXPECT_EQ(machine.cpus().size(), 1024u);
    EXPECT_TRUE(topology::from_synthetic("2 3 4"));
}

TEST(synthetic_topology, knows_nodes_of_memory) {
    SG_TOPOLOGY_OR_SKIP(machine, "pack:2 numa:2 core:2 pu:1");
    ASSERT_EQ(machine.cpus().size(), 8u);
    EXPECT_EQ(machine.distance(0, 1), saguaro::platform::same_node);
    // A package's other node is one level away, the other package two.
    EXPECT_EQ(machine.distance(0, 2), saguaro::platform::same_node + 10);
    EXPECT_EQ(machine.distance(0, 4), saguaro::platform::same_node + 20);
    EXPECT_EQ(machine.distance(7, 4), saguaro::platform::same_node + 10);
    EXPECT_EQ(machine.node_of(0), 0);
    EXPECT_EQ(machine.node_of(7), 3);
    EXPECT_EQ(machine.node_of(77), -1);
}

TEST(synthetic_topology, knows_levels_between_packages) {
    SG_TOPOLOGY_OR_SKIP(machine, "group:2 pack:2 numa:1 core:1 pu:1");
    EXPECT_EQ(machine.distance(0, 1), saguaro::platform::same_node + 10);
    EXPECT_EQ(machine.distance(0, 2), saguaro::platform::same_node + 20);
}

TEST(latencies, are_the_firmwares_or_levels) {
    SG_TOPOLOGY_OR_SKIP(machine, "pack:2 numa:2 core:2 pu:1");
    EXPECT_EQ(saguaro::platform::latency_of(machine.distance(0, 1)), 10);
    EXPECT_EQ(saguaro::platform::latency_of(machine.distance(0, 2)), 20);
    EXPECT_EQ(saguaro::platform::latency_of(machine.distance(0, 4)), 30);
    EXPECT_EQ(saguaro::platform::latency_of(machine.distance(0, 77)), 255);
}

// Four nodes of two processors, as on a board with four sockets in a ring: the firmware's table
// says 10, 16, 22, 16, and asymmetrically 28 from node 3 to node 1.
TEST(topology_from_a_file, has_the_firmwares_table) {
    const std::string file = std::string(SG_TEST_DATA) + "/four-sockets.xml";
    const std::optional<topology> machine = topology::described(file);
    if (!machine && !topology::from_synthetic("pu:1"))
        GTEST_SKIP() << "hwloc is missing";
    ASSERT_TRUE(machine);
    EXPECT_EQ(machine->cpus().size(), 8U);
    EXPECT_EQ(machine->node_of(7), 3);
    EXPECT_LE(machine->distance(0, 1), saguaro::platform::same_node);
    EXPECT_EQ(saguaro::platform::latency_of(machine->distance(0, 2)), 16);
    EXPECT_EQ(saguaro::platform::latency_of(machine->distance(0, 4)), 22);
    EXPECT_EQ(saguaro::platform::latency_of(machine->distance(0, 6)), 16);
    EXPECT_EQ(saguaro::platform::latency_of(machine->distance(2, 6)), 28);
    EXPECT_EQ(saguaro::platform::latency_of(machine->distance(6, 2)), 28);
}

// The same table, whose first two rows and columns have changed places.
TEST(topology_from_a_file, may_have_its_table_in_any_order) {
    std::ifstream original(std::string(SG_TEST_DATA) + "/four-sockets.xml");
    std::string text{std::istreambuf_iterator<char>(original), {}};
    const auto replace = [&](const std::string &what, const std::string &by) {
        const std::size_t at = text.find(what);
        ASSERT_NE(at, text.npos);
        text.replace(at, what.size(), by);
    };
    replace(">0 1 2 3 <", ">1 0 2 3 <");
    replace(">10 16 22 16 16 10 16 22 22 16 <", ">10 16 16 22 16 10 22 16 16 22 <");
    replace(">10 16 16 28 16 10 <", ">10 16 28 16 16 10 <");
    const std::string file = testing::TempDir() + "/reordered-sockets.xml";
    std::ofstream(file) << text;
    const std::optional<topology> machine = topology::described(file);
    if (!machine && !topology::from_synthetic("pu:1"))
        GTEST_SKIP() << "hwloc is missing";
    ASSERT_TRUE(machine);
    EXPECT_EQ(saguaro::platform::latency_of(machine->distance(0, 2)), 16);
    EXPECT_EQ(saguaro::platform::latency_of(machine->distance(0, 4)), 22);
    EXPECT_EQ(saguaro::platform::latency_of(machine->distance(0, 6)), 16);
    EXPECT_EQ(saguaro::platform::latency_of(machine->distance(2, 6)), 28);
    EXPECT_EQ(saguaro::platform::latency_of(machine->distance(2, 4)), 16);
}

// Writes a file with the text of hwloc's root object, and with the text behind that object; reads
// the machine from the file.
std::optional<topology> machine_of(const std::string &object, const std::string &behind = "") {
    const std::string file = testing::TempDir() + "machine-of-objects.xml";
    std::ofstream(file) << "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                        << "<!DOCTYPE topology SYSTEM \"hwloc2.dtd\">\n"
                        << "<topology version=\"2.0\">\n"
                        << object << behind << "</topology>\n";
    std::optional<topology> machine = topology::described(file);
    std::remove(file.c_str());
    return machine;
}

// The text of an object of hwloc, on the processors of a mask and on nodes, around other objects.
std::string described_object(const std::string &type, unsigned cpus, const std::string &inside,
                             unsigned nodes = 1) {
    static int number = 0;
    char mask[16];
    std::snprintf(mask, sizeof(mask), "0x%08x", cpus);
    std::string text = "<object type=\"" + type + "\" gp_index=\"" + std::to_string(++number) + '"';
    for (const char *each : {"cpuset", "complete_cpuset"})
        text += std::string(" ") + each + "=\"" + mask + '"';
    std::snprintf(mask, sizeof(mask), "0x%08x", nodes);
    for (const char *each : {"nodeset", "complete_nodeset"})
        text += std::string(" ") + each + "=\"" + mask + '"';
    if (type.ends_with("Cache"))
        text += " cache_size=\"1048576\" depth=\"" + type.substr(1, 1) +
                "\" cache_linesize=\"64\" cache_associativity=\"0\" cache_type=\"0\"";
    else
        text += " os_index=\"" +
                std::to_string(std::countr_zero(type == "NUMANode" ? nodes : cpus)) + '"';
    return text + ">" + inside + "</object>\n";
}

// Two small cores that share a cache of the second level and have none of the third, then four
// large ones with a cache each and a third level around all four. The first cache of either level
// has the same number.
TEST(topology_from_a_file, may_have_cores_with_fewer_levels_of_caches) {
    const auto core = [](unsigned cpu) {
        return described_object("Core", 1U << cpu, described_object("PU", 1U << cpu, ""));
    };
    std::string large;
    for (unsigned cpu = 2; cpu < 6; ++cpu)
        large += described_object("L2Cache", 1U << cpu, core(cpu));
    const std::string inside = described_object("NUMANode", 0x3f, "") +
                               described_object("L2Cache", 0x03, core(0) + core(1)) +
                               described_object("L3Cache", 0x3c, large);
    const std::optional<topology> machine = machine_of(described_object("Machine", 0x3f, inside));
    if (!topology::can_read())
        GTEST_SKIP() << "hwloc is missing";
    ASSERT_TRUE(machine);
    ASSERT_EQ(machine->cpus(), (std::vector<int>{0, 1, 2, 3, 4, 5}));
    EXPECT_EQ(machine->distance(0, 1), saguaro::platform::same_cache);
    EXPECT_EQ(machine->distance(2, 5), saguaro::platform::same_cache);
    for (const int small : {0, 1})
        for (const int other : {2, 3, 4, 5})
            EXPECT_EQ(machine->distance(small, other), saguaro::platform::same_node) << other;
}

// A package of two groups with a node each, and one with one node: of two ways the longer one.
TEST(topology_from_a_file, may_have_packages_of_unequal_depth) {
    const auto core = [](unsigned cpu, unsigned node) {
        return described_object("Core", 1U << cpu, described_object("PU", 1U << cpu, "", node),
                                node);
    };
    const auto with_node = [&](const std::string &type, unsigned cpus, unsigned node) {
        const auto first = static_cast<unsigned>(std::countr_zero(cpus));
        return described_object(type, cpus,
                                described_object("NUMANode", cpus, "", node) + core(first, node) +
                                    core(first + 1, node),
                                node);
    };
    const std::string deep = described_object(
        "Package", 0x0f, with_node("Group", 0x03, 1) + with_node("Group", 0x0c, 2), 3);
    const std::optional<topology> machine =
        machine_of(described_object("Machine", 0x3f, deep + with_node("Package", 0x30, 4), 7));
    if (!topology::can_read())
        GTEST_SKIP() << "hwloc is missing";
    ASSERT_TRUE(machine);
    EXPECT_EQ(machine->node_of(4), 2);
    EXPECT_EQ(machine->distance(0, 2), saguaro::platform::same_node + 10);
    for (const int a : {0, 2}) {
        EXPECT_EQ(machine->distance(a, 4), saguaro::platform::same_node + 20) << a;
        EXPECT_EQ(machine->distance(4, a), saguaro::platform::same_node + 20) << a;
    }
}

// A package of one processor, with a node unless `node` is 0.
std::string package_of_one(unsigned cpu, unsigned node) {
    std::string inside = described_object("PU", 1U << cpu, "", node);
    inside = described_object("Core", 1U << cpu, inside, node);
    if (node != 0)
        inside = described_object("NUMANode", 1U << cpu, "", node) + inside;
    return described_object("Package", 1U << cpu, inside, node);
}

// As where a control group forbids the nodes of two packages, but not their processors.
TEST(topology_from_a_file, may_have_processors_without_a_node) {
    const std::optional<topology> machine = machine_of(described_object(
        "Machine", 7, package_of_one(0, 0) + package_of_one(1, 1) + package_of_one(2, 0)));
    if (!topology::can_read())
        GTEST_SKIP() << "hwloc is missing";
    ASSERT_TRUE(machine);
    EXPECT_EQ(machine->node_of(0), -1);
    EXPECT_EQ(machine->distance(0, 0), saguaro::platform::same_core);
    EXPECT_EQ(machine->distance(0, 1), saguaro::platform::nothing_known);
    EXPECT_EQ(machine->distance(0, 2), saguaro::platform::nothing_known);
}

// The firmware's table, row by row, for the nodes with the first numbers.
std::string table_of(unsigned nodes, const std::string &values) {
    std::string indexes;
    for (unsigned node = 0; node < nodes; ++node)
        indexes += std::to_string(node) + ' ';
    const auto text = [](const std::string &name, const std::string &inside) {
        return '<' + name + " length=\"" + std::to_string(inside.size()) + "\">" + inside + "</" +
               name + ">\n";
    };
    return "<distances2 type=\"NUMANode\" nbobjs=\"" + std::to_string(nodes) +
           "\" kind=\"6\" name=\"NUMALatency\" indexing=\"os\">\n" + text("indexes", indexes) +
           text("u64values", values) + "</distances2>\n";
}

// Another node is never as near as the own one, nor farther than one of which nothing is known.
TEST(topology_from_a_file, may_have_latencies_that_no_firmware_should_say) {
    const std::string packages = package_of_one(0, 1) + package_of_one(1, 2) + package_of_one(2, 4);
    const std::optional<topology> machine =
        machine_of(described_object("Machine", 7, packages, 7),
                   table_of(3, "10 10 8589934592 7 10 300 8589934592 300 10 "));
    if (!topology::can_read())
        GTEST_SKIP() << "hwloc is missing";
    ASSERT_TRUE(machine);
    EXPECT_EQ(machine->distance(0, 1), saguaro::platform::same_node + 1);
    EXPECT_EQ(machine->distance(0, 2), saguaro::platform::nothing_known);
    EXPECT_EQ(machine->distance(1, 2), saguaro::platform::nothing_known);
}

// The table has no row for processors without a node.
TEST(topology_from_a_file, may_have_a_table_and_processors_without_a_node) {
    const std::string packages =
        package_of_one(0, 0) + package_of_one(1, 1) + package_of_one(2, 2) + package_of_one(3, 0);
    const std::optional<topology> machine =
        machine_of(described_object("Machine", 15, packages, 3), table_of(2, "10 21 21 10 "));
    if (!topology::can_read())
        GTEST_SKIP() << "hwloc is missing";
    ASSERT_TRUE(machine);
    EXPECT_EQ(saguaro::platform::latency_of(machine->distance(1, 2)), 21);
    for (const int with : {1, 2})
        for (const int without : {0, 3}) {
            EXPECT_EQ(machine->distance(with, without), saguaro::platform::nothing_known);
            EXPECT_EQ(machine->distance(without, with), saguaro::platform::nothing_known);
        }
}

TEST(topology_from_a_file, has_levels_where_the_table_leaves_nodes_out) {
    const std::string packages = package_of_one(0, 1) + package_of_one(1, 2) + package_of_one(2, 4);
    const std::optional<topology> machine =
        machine_of(described_object("Machine", 7, packages, 7), table_of(2, "10 99 99 10 "));
    if (!topology::can_read())
        GTEST_SKIP() << "hwloc is missing";
    ASSERT_TRUE(machine);
    for (const int other : {1, 2})
        EXPECT_EQ(machine->distance(0, other), saguaro::platform::same_node + 10) << other;
}

// Groups around each other, each with one package more.
TEST(topology_from_a_file, may_have_more_levels_than_there_are_distances) {
    std::string inside = package_of_one(0, 1);
    unsigned all = 1;
    for (unsigned cpu = 1; cpu < 30; ++cpu) {
        all |= 1U << cpu;
        inside = described_object(cpu == 29 ? "Machine" : "Group", all,
                                  inside + package_of_one(cpu, 1U << cpu), all);
    }
    const std::optional<topology> machine = machine_of(inside);
    if (!topology::can_read())
        GTEST_SKIP() << "hwloc is missing";
    ASSERT_TRUE(machine);
    EXPECT_EQ(machine->distance(0, 1), saguaro::platform::same_node + 10);
    EXPECT_EQ(machine->distance(0, 24), saguaro::platform::same_node + 240);
    EXPECT_EQ(machine->distance(0, 25), saguaro::platform::nothing_known);
    EXPECT_EQ(machine->distance(0, 29), saguaro::platform::nothing_known);
}

TEST(topology_from_a_file, that_is_not_there_gives_none) {
    EXPECT_FALSE(topology::described("/no/such/file.xml"));
    EXPECT_EQ(topology::fault_of("/no/such/file.xml"), "No such file or directory");
    EXPECT_EQ(topology::fault_of("pack:2"), "");
}

TEST(topology_from_a_file, of_a_later_hwloc_gives_none) {
    if (!topology::can_read())
        GTEST_SKIP() << "hwloc is missing";
    const std::string file = ::testing::TempDir() + "later-hwloc.xml";
    std::ofstream(file) << "<topology version=\"99.0\"></topology>\n";
    EXPECT_FALSE(topology::described(file));
    EXPECT_EQ(topology::fault_of(file), "the hwloc of this machine cannot read that file");
    std::remove(file.c_str());
}

TEST(synthetic_topology, distance_is_symmetric) {
    SG_TOPOLOGY_OR_SKIP(machine, "pack:2 numa:2 l2:2 core:2 pu:2");
    for (const int a : machine.cpus())
        for (const int b : machine.cpus())
            EXPECT_EQ(machine.distance(a, b), machine.distance(b, a)) << a << ' ' << b;
}

// A package with two nodes, as of large and of fast memory, is one level all the same.
TEST(synthetic_topology, may_have_several_nodes_in_a_package) {
    for (const char *description : {"pack:2 [numa] core:2 pu:1", "pack:2 [numa] [numa] core:2 pu:1",
                                    "pack:2 [numa] [numa] l3:1 l2:2 l1:1 core:1 pu:1"}) {
        SG_TOPOLOGY_OR_SKIP(machine, description);
        EXPECT_LE(machine.distance(0, 1), saguaro::platform::same_node) << description;
        EXPECT_EQ(machine.distance(0, 2), saguaro::platform::same_node + 10) << description;
        EXPECT_EQ(machine.distance(2, 0), saguaro::platform::same_node + 10) << description;
    }
}

// A package and its only cache are one level, not two.
TEST(synthetic_topology, has_one_level_for_the_same_processors) {
    SG_TOPOLOGY_OR_SKIP(machine, "pack:2 l3:1 numa:2 core:2 pu:1");
    EXPECT_EQ(machine.distance(0, 2), saguaro::platform::same_node + 10);
    EXPECT_EQ(machine.distance(0, 4), saguaro::platform::same_node + 20);
}

TEST(synthetic_topology, has_the_kernels_numbers_of_nodes) {
    SG_TOPOLOGY_OR_SKIP(machine, "numa:2(indexes=0,8) core:2 pu:1");
    EXPECT_EQ(machine.node_of(0), 0);
    EXPECT_EQ(machine.node_of(2), 8);
    EXPECT_EQ(machine.distance(0, 2), saguaro::platform::same_node + 10);
}

TEST(synthetic_topology, has_its_processors_in_order) {
    SG_TOPOLOGY_OR_SKIP(machine, "core:2 pu:2(indexes=3,1,0,2)");
    EXPECT_EQ(machine.cpus(), (std::vector<int>{0, 1, 2, 3}));
    EXPECT_EQ(machine.distance(1, 3), saguaro::platform::same_core);
    EXPECT_EQ(machine.distance(0, 1), saguaro::platform::same_node);
    EXPECT_EQ(machine.core_of(2), 0);
    EXPECT_EQ(machine.core_of(3), 1);
    EXPECT_EQ(machine.core_of(77), -1);
}

TEST(synthetic_topology, unknown_processors_are_far_from_all) {
    SG_TOPOLOGY_OR_SKIP(machine, "core:2 pu:1");
    for (const int other : {0, 77, 5000, INT_MIN, INT_MAX}) {
        EXPECT_EQ(machine.distance(77, other), saguaro::platform::nothing_known) << other;
        EXPECT_EQ(machine.distance(other, INT_MIN), saguaro::platform::nothing_known) << other;
    }
}

TEST(synthetic_topology, nonsense_gives_none) {
    EXPECT_FALSE(topology::from_synthetic("no such machine"));
}

TEST(flat_topology, has_one_distance) {
    const topology machine = topology::flat({3, 1, 2});
    EXPECT_EQ(machine.cpus(), (std::vector<int>{1, 2, 3}));
    EXPECT_EQ(machine.distance(1, 3), saguaro::platform::same_node);
    EXPECT_EQ(machine.distance(2, 2), saguaro::platform::same_core);
}

TEST(topology_of_this_machine, contains_the_allowed_processors) {
    const topology machine = topology::load();
    for (const int cpu : allowed_cpus())
        EXPECT_TRUE(std::count(machine.cpus().begin(), machine.cpus().end(), cpu)) << cpu;
}

TEST(this_machine, is_read_by_a_thread_that_stays_where_it_is) {
    const int before = bindings;
    EXPECT_FALSE(topology::load().cpus().empty());
    EXPECT_EQ(bindings, before);
    // Otherwise nothing was counted.
    cpu_set_t all;
    ASSERT_EQ(sched_getaffinity(0, sizeof(all), &all), 0);
    ASSERT_EQ(sched_setaffinity(0, sizeof(all), &all), 0);
    EXPECT_EQ(bindings, before + 1);
}
