// SPDX-License-Identifier: MIT
// Dividing ranks among hosts, evenly or by given counts.
#include "mpi/transport/shares.hpp"

#include <algorithm>

namespace saguaro::mpi::transport {

shares::shares(const std::vector<std::uint32_t> &counts, std::uint32_t me) : firsts_{0}, me_(me) {
    for (const std::uint32_t count : counts)
        firsts_.push_back(firsts_.back() + count);
}

std::vector<std::uint32_t> shares::even(std::uint32_t ranks, std::uint32_t hosts) {
    std::vector<std::uint32_t> counts(hosts, ranks / hosts);
    for (std::uint32_t h = 0; h < ranks % hosts; ++h)
        ++counts[h];
    return counts;
}

std::uint32_t shares::host_of(std::uint32_t rank) const {
    // Hosts without ranks begin where others do.
    const auto next = std::upper_bound(firsts_.begin(), firsts_.end(), rank);
    return static_cast<std::uint32_t>(next - firsts_.begin()) - 1;
}

void shares::divide(const world &all) const {
    world_record &head = all.head();
    head.hosts = hosts();
    const context_value contexts = most_contexts / hosts();
    // Relaxed, all: no rank has begun.
    head.contexts.store(contexts * me_, std::memory_order_relaxed);
    head.contexts_limit = contexts * (me_ + 1);
    for (std::uint32_t r = 0; r < ranks(); ++r) {
        all.rank(r).host = host_of(r);
        // Odd: a snapshot believes nothing of what the record says of a blockage.
        all.rank(r).epoch.store(is_here(r) ? 0 : 1, std::memory_order_relaxed);
    }
}

} // namespace saguaro::mpi::transport
