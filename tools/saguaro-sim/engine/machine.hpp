// SPDX-License-Identifier: MIT
// The simulated machine: where each worker sits, the nodes of memory, and the links between them.
#pragma once

#include "platform/topology.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace saguaro::sim {

class machine {
public:
    // Worker i sits on the i-th processor, and beyond the last one on the first again, as the
    // policies have it.
    machine(std::shared_ptr<const platform::topology> topology, unsigned workers);

    const std::shared_ptr<const platform::topology> &topology() const { return topology_; }
    unsigned workers() const { return static_cast<unsigned>(cpus_.size()); }
    const std::vector<int> &cpus() const { return cpus_; }

    // The nodes have numbers from 0 here, also where the topology knows none.
    unsigned nodes() const { return nodes_; }
    unsigned node_of(unsigned worker) const { return node_of_[worker]; }
    // The one that the kernel of that machine gives this number, as recordings and users have it.
    std::optional<unsigned> find_node(std::uint64_t number) const;
    // These numbers, in the order of the nodes here.
    const std::vector<int> &node_numbers() const { return node_numbers_; }

    // What memory of a node takes from another one, relative to the own node: 1 or more.
    double latency(unsigned from, unsigned to) const {
        return latency_[std::size_t{from} * nodes_ + to];
    }
    double latency_of_workers(unsigned a, unsigned b) const {
        return latency(node_of_[a], node_of_[b]);
    }

    // The distances between workers of different nodes, the smallest first, as latencies. At each
    // of them the machine has a level of links: nodes that are nearer to each other than this
    // distance share one link to all others.
    const std::vector<double> &levels() const { return levels_; }
    // The link of a node at a level, numbered from 0 in each level.
    unsigned link(std::size_t level, unsigned node) const { return links_[level][node]; }
    unsigned links(std::size_t level) const { return link_counts_[level]; }
    // How many levels of links a line crosses between two nodes: the first so many.
    std::size_t crossed(unsigned from, unsigned to) const;

private:
    void number_nodes();
    void measure_latencies();
    void find_links();

    std::shared_ptr<const platform::topology> topology_;
    std::vector<int> cpus_;
    std::vector<unsigned> node_of_; // of each worker
    std::vector<int> processors_;   // of each node: one of its processors
    std::vector<int> node_numbers_; // of each node
    unsigned nodes_ = 0;
    std::vector<double> latency_;
    std::vector<double> levels_;
    std::vector<std::vector<unsigned>> links_;
    std::vector<unsigned> link_counts_;
};

} // namespace saguaro::sim
