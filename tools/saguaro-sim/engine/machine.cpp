// SPDX-License-Identifier: MIT
// Numbering nodes, measuring latencies and finding the links between nodes.
#include "machine.hpp"

#include "scheduler/neighbours.hpp"

#include <algorithm>
#include <map>
#include <utility>

namespace saguaro::sim {

machine::machine(std::shared_ptr<const platform::topology> topology, unsigned workers)
    : topology_(std::move(topology)) {
    scheduler::seating seats;
    seats.start(topology_, std::vector<int>(workers, 0));
    cpus_ = seats.cpus();
    number_nodes();
    measure_latencies();
    find_links();
}

// All nodes with processors count, whether a worker sits there or not: memory may be there.
void machine::number_nodes() {
    std::map<int, unsigned> numbers;
    for (const int cpu : topology_->cpus()) {
        const int node = topology_->node_of(cpu);
        if (numbers.emplace(node, static_cast<unsigned>(numbers.size())).second) {
            processors_.push_back(cpu);
            node_numbers_.push_back(node);
        }
    }
    if (node_numbers_ == std::vector<int>{-1}) // unknown, and the only one
        node_numbers_.front() = 0;
    nodes_ = static_cast<unsigned>(processors_.size());
    for (const int cpu : cpus_)
        node_of_.push_back(numbers.at(topology_->node_of(cpu)));
}

std::optional<unsigned> machine::find_node(std::uint64_t number) const {
    for (unsigned node = 0; node < nodes_; ++node)
        if (node_numbers_[node] >= 0 && static_cast<std::uint64_t>(node_numbers_[node]) == number)
            return node;
    return std::nullopt;
}

void machine::measure_latencies() {
    latency_.assign(std::size_t{nodes_} * nodes_, 1);
    for (unsigned from = 0; from < nodes_; ++from)
        for (unsigned to = 0; to < nodes_; ++to)
            if (from != to)
                latency_[std::size_t{from} * nodes_ + to] =
                    static_cast<double>(platform::latency_of(
                        topology_->distance(processors_[from], processors_[to]))) /
                    platform::own_latency;
    for (const double each : latency_)
        if (each > 1)
            levels_.push_back(each);
    std::sort(levels_.begin(), levels_.end());
    levels_.erase(std::unique(levels_.begin(), levels_.end()), levels_.end());
}

// Nodes that a chain of shorter ways joins share a link.
void machine::find_links() {
    for (const double level : levels_) {
        std::vector<unsigned> of(nodes_, UINT32_MAX);
        unsigned count = 0;
        for (unsigned node = 0; node < nodes_; ++node) {
            if (of[node] != UINT32_MAX)
                continue;
            std::vector<unsigned> reached{node};
            of[node] = count;
            for (std::size_t at = 0; at < reached.size(); ++at)
                for (unsigned other = 0; other < nodes_; ++other)
                    if (of[other] == UINT32_MAX && latency(reached[at], other) < level) {
                        of[other] = count;
                        reached.push_back(other);
                    }
            ++count;
        }
        links_.push_back(std::move(of));
        link_counts_.push_back(count);
    }
}

std::size_t machine::crossed(unsigned from, unsigned to) const {
    if (from == to)
        return 0;
    const auto end = std::upper_bound(levels_.begin(), levels_.end(), latency(from, to));
    return static_cast<std::size_t>(end - levels_.begin());
}

} // namespace saguaro::sim
