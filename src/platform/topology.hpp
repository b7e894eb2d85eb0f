// SPDX-License-Identifier: MIT
// How far apart processors are. For steal policies that prefer near victims; the library has none
// yet.
//
// The knowledge comes from hwloc, whose library is loaded when the first topology is asked for and
// not before: a program that needs no distances does without it. Where it is missing, the machine
// counts as flat.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace saguaro::platform {

// Distances between two processors: the nearest thing that they share.
enum distance : int {
    same_core = 0,    // one core (or one processor): nothing to move
    same_cache = 1,   // two cores, the largest cache of both
    same_node = 2,    // no cache; memory with the same distance to both
    same_package = 3, // two nodes of memory, one package
    same_machine = 4  // two packages, or nothing is known of one of the two
};

// An immutable picture of a machine's processors. Copies are cheap enough for a policy to keep one.
class topology {
public:
    // This machine, without the processors that the process's control group forbids; without hwloc,
    // those that the calling thread may use. Some milliseconds.
    static topology load();

    // A machine described in hwloc's synthetic notation, outermost first: "pack:2 numa:1 l3:1
    // core:4 pu:2". Empty when the description is wrong or hwloc is missing.
    static std::optional<topology> from_synthetic(const std::string &description);

    // A machine of which nothing but the processors is known: any two are `same_node`.
    static topology flat(std::vector<int> cpus);

    // The processors' numbers, ascending.
    const std::vector<int> &cpus() const { return cpus_; }

    // The distance between two processors, a value of `enum distance`; symmetric. A processor that
    // is not among `cpus()` is at `same_machine` from all others.
    int distance(int cpu_a, int cpu_b) const;

private:
    // Where one processor stands: a number for each thing that it is part of. Two processors share
    // what has the same number; -1 is shared with nobody.
    struct place {
        int core = -1;
        int cache = -1;
        int node = -1;
        int package = -1;
    };

    friend class topology_reader;

    const place *find(int cpu) const;

    std::vector<int> cpus_;
    std::vector<place> places_; // of cpus_[i] at [i]
};

} // namespace saguaro::platform
