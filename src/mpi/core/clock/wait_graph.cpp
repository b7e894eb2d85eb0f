// SPDX-License-Identifier: MIT
// The shortest way through the wait graph, by which blocked ranks get their bounds.
#include "mpi/core/clock/wait_graph.hpp"

#include <algorithm>

namespace saguaro::mpi {

void wait_graph::derive(std::uint32_t n, clock_bounds &out) {
    for (std::uint32_t r = 0; r < n; ++r) {
        const seen_rank &s = ranks_[r];
        out[r] = !s.is_blocked           ? s.bound
                 : s.candidate < forever ? std::max(s.least, s.candidate + latency)
                                         : forever;
    }
    const auto bounds = [&](std::uint32_t x, std::uint32_t r) {
        out[r] = std::min(out[r], std::max(ranks_[r].least, out[x] + ranks_[r].hop));
    };
    unsettled_.clear();
    for (std::uint32_t r = 0; r < n; ++r)
        if (ranks_[r].is_blocked) {
            unsettled_.push_back(r);
            any_waited_for(r, [&](std::uint32_t x) {
                if (!ranks_[x].is_blocked)
                    bounds(x, r);
                return false;
            });
        }
    // Dijkstra among the blocked ones: a rank that is settled bounds those that wait for it.
    while (!unsettled_.empty()) {
        const auto least =
            std::min_element(unsettled_.begin(), unsettled_.end(),
                             [&](std::uint32_t a, std::uint32_t b) { return out[a] < out[b]; });
        const std::uint32_t next = *least;
        if (out[next] >= forever)
            break;
        *least = unsettled_.back();
        unsettled_.pop_back();
        for (const std::uint32_t r : unsettled_)
            if (waits(r, next))
                bounds(next, r);
    }
}

} // namespace saguaro::mpi
