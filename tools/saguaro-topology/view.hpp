// SPDX-License-Identifier: MIT
// The facts that every format prints, gathered from the runtime's own code.
#pragma once

#include "scheduler/neighbours.hpp"
#include "scheduler/settings.hpp"

#include <string>
#include <vector>

namespace saguaro::topology_tool {

struct processor {
    int number;
    int core; // -1: unknown
    std::vector<int> workers;
};

// A node of memory.
struct node {
    int number; // the kernel's; -1: unknown
    std::vector<processor> processors;

    std::vector<int> cpus() const;
    std::vector<int> workers() const;
    std::vector<std::vector<processor>> cores() const;
};

// How a policy chooses for the thief.
struct choice {
    std::string policy;
    bool is_set;                 // by SAGUARO_POLICY, or its default
    std::vector<double> chances; // of each group at the first try
    std::vector<unsigned> turns; // of each group: at which try in a row it has a chance; else empty
};

struct view {
    std::string described; // SAGUARO_TOPOLOGY's words; empty: this machine
    bool has_hwloc;
    std::vector<node> nodes;
    std::vector<std::vector<int>> latencies; // of the memory of one node for another one
    unsigned workers;
    std::vector<int> seats; // each worker's processor, or -1: any
    bool is_bound;          // the runtime would bind its threads so
    unsigned thief;
    scheduler::neighbours around; // the thief
    std::vector<choice> choices;

    std::size_t processors() const;
    std::size_t cores() const;
    // Whether it is known, or thought, where workers are.
    bool has_places() const { return seats.front() >= 0; }
    // By the policy that is set: from 0 to 1, how soon or how likely the thief tries a worker.
    double preference(unsigned worker) const;
    const choice &set_choice() const;
    std::vector<int> members(const scheduler::distance_group &group) const;
    int node_of(unsigned worker) const;
};

// Throws bad_setting and bad_input.
view look(unsigned thief);

// "same core", "same cache", "same node", "another node", "unknown".
std::string name_of_distance(int distance);

} // namespace saguaro::topology_tool
