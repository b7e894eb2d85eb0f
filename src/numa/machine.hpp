// SPDX-License-Identifier: MIT
// The nodes of memory and the processors that take part, read once.
#pragma once

#include <cstdint>
#include <mutex>
#include <vector>

namespace saguaro::numa {

// Held while what the process has once is made: what it knows of the machine, the pools. Held
// across a fork as well, so that the child finds nothing half made.
std::mutex &making_lock();

class machine {
public:
    // This machine, for the whole process. The first call reads it: some 100 µs.
    static const machine &here();

    // What the table of system calls says now.
    static machine read();

    // The kernel's numbers of the nodes that the process may take memory from, ascending. Never
    // empty: where the kernel knows nothing of nodes, it is node 0. Pools go by the index in it.
    const std::vector<int> &nodes() const { return nodes_; }

    // The processors that the process may use, ascending.
    const std::vector<int> &cpus() const { return cpus_; }

    // The index of a node; -1: it does not take part.
    int index_of(int node) const;

    // The node that a processor belongs to, whether it takes part or not.
    int node_of_cpu(int cpu) const;

    // The index of the node nearest to a processor, of those that take part.
    unsigned near_index(int cpu) const {
        return static_cast<unsigned>(cpu) < near_.size() ? near_[static_cast<unsigned>(cpu)] : 0;
    }

    // Bytes that are free on the nodes that take part, or would be without pages of files; the
    // largest number where the kernel does not tell. Some 0.1 ms for each node.
    std::uint64_t free_bytes() const;

    // How many of `cpus()` belong to a node that does not take part.
    unsigned cpus_without_memory() const;

    // Whether there is nothing to choose: then the kernel need not support placement at all.
    bool has_one_node() const { return nodes_.size() == 1; }

private:
    void add_cpus_of(int node);
    unsigned nearest_to(int node) const;

    std::vector<int> nodes_;
    std::vector<int> cpus_;
    std::vector<unsigned> near_;   // of processor i at [i]
    std::vector<int> node_of_cpu_; // the same
};

} // namespace saguaro::numa
