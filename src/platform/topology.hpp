// SPDX-License-Identifier: MIT
// How far apart processors are: what steal policies that prefer near victims go by.
//
// The knowledge comes from hwloc, whose library is loaded when the first topology is asked for and
// not before: a program that needs no distances does without it. Where it is missing, the machine
// counts as flat.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace saguaro::platform {

// Distances between two processors. Within a node of memory: the nearest thing that they share.
// Between nodes: how much longer the way to the other's memory is, in the unit of the firmware's
// table (ACPI SLIT), which has 10 for the node itself.
enum distance : int {
    same_core = 0,  // one core (or one processor): nothing to move
    same_cache = 1, // two cores, the largest cache of both
    same_node = 2,  // no cache; memory with the same distance to both
    // Nothing is known of one of the two; the table's word for it is 255.
    nothing_known = same_node + 245
};

// The firmware's number for the memory of the own node.
inline constexpr int own_latency = 10;

// What a processor pays for the memory of another one that is so far away: 10 in the same node.
constexpr int latency_of(int distance) {
    return distance <= same_node ? own_latency : own_latency + distance - same_node;
}

// The most processors that a description in hwloc's notation may have. hwloc takes 1.3 s for so
// many and 11 s for twice as many.
inline constexpr unsigned long most_described_processors = 4096;

// An immutable picture of a machine's processors. Copies are cheap enough for a policy to keep one.
class topology {
public:
    // Whether hwloc is here: more is known of machines than their processors' numbers.
    static bool can_read();

    // This machine, without the processors that the process's control group forbids; without hwloc,
    // those that the calling thread may use. Some milliseconds.
    static topology load();

    // A machine described in hwloc's synthetic notation, outermost first: "pack:2 numa:1 l3:1
    // core:4 pu:2". Empty when the description is wrong or has too many processors, or hwloc is
    // missing.
    static std::optional<topology> from_synthetic(const std::string &description);

    // A machine from a file that `lstopo FILE.xml` has written. Empty when it cannot be read, or
    // hwloc is missing.
    static std::optional<topology> from_xml(const std::string &file);

    // By a file's name that ends in .xml, or a synthetic description.
    static std::optional<topology> described(const std::string &text);

    // Why `described` has not read what `text` says, for the end of a line: that the file it names
    // is not there, or not to be read by this hwloc, or that the description has too many
    // processors. Empty if nothing more is known.
    static std::string fault_of(const std::string &text);

    // A machine of which nothing but the processors is known: any two are `same_node`.
    static topology flat(std::vector<int> cpus);

    // The processors' numbers, ascending.
    const std::vector<int> &cpus() const { return cpus_; }

    // The distance between two processors; symmetric. Between nodes it follows the firmware's
    // table, of two numbers the greater one; without a table each level of the tree that has to be
    // climbed to the other node counts 10, from the side that has more of them. A processor that is
    // not among `cpus()` is `nothing_known` from all, itself included; one whose node is not known,
    // from all but those of its core and its cache.
    int distance(int cpu_a, int cpu_b) const;

    // The kernel's number of the node of memory of a processor; -1: unknown. A machine of which
    // nothing but the processors is known has node 0.
    int node_of(int cpu) const;

    // The number of a processor's core, from 0 in hwloc's order; -1: unknown.
    int core_of(int cpu) const;

private:
    // Where one processor stands: a number for each thing that it is part of. Two processors share
    // what has the same number; -1 is shared with nobody.
    struct place {
        int core = -1;
        int cache = -1;
        int node = -1; // in hwloc's order; node_of has the kernel's number
        // What has to be climbed to other nodes, the smallest first.
        std::vector<int> around;
    };

    friend class topology_reader;

    const place *find(int cpu) const;
    int between_nodes(const place &a, const place &b) const;

    std::vector<int> cpus_;
    std::vector<place> places_;     // of cpus_[i] at [i]
    std::vector<int> node_numbers_; // the kernel's, of each node in hwloc's order
    // The firmware's table, a row for each node in hwloc's order; may be empty.
    std::vector<int> latencies_;
};

} // namespace saguaro::platform
