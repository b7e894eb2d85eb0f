// SPDX-License-Identifier: MIT
// Breadth-first search, serial and parallel.
#pragma once

#include "graph.hpp"

#include <cstdint>
#include <limits>
#include <memory_resource>
#include <vector>

namespace saguaro::pbfs {

/// The distance of a vertex that no path from the source leads to.
inline constexpr std::uint32_t unreached = std::numeric_limits<std::uint32_t>::max();

struct bfs_result {
    /// For each vertex the number of edges on a shortest path from the source, or `unreached`.
    std::pmr::vector<std::uint32_t> distances;
    /// Number of layers, the source's own among them: one more than the largest distance. This is
    /// what the published tables of PBFS call D (598 for grid3d200).
    std::uint32_t depth = 0;
    /// Lookups of the reducer of bags; 0 for the serial search.
    std::uint64_t lookups = 0;
};

/// Where a search takes its memory from.
struct search_memory {
    std::pmr::memory_resource *distances = std::pmr::new_delete_resource();
    /// Of the bags, which all workers fill at once.
    std::pmr::memory_resource *bags = std::pmr::new_delete_resource();
};

/// The yardstick: one queue of vertices in an array, one array of distances. source < vertices().
bfs_result serial_bfs(const graph &g, vertex source);

/// The bag algorithm (PBFS): layer after layer, the bags of one layer's vertices are cut up until a
/// block is left; the vertices that a block leads to for the first time go to the bags of the next
/// layer, which are a reducer. On the runtime's workers, from inside or outside of saguaro::run;
/// several searches may run at once. Distances and depth are those of serial_bfs; the number of
/// lookups varies a little from run to run with more than one worker. source < vertices().
bfs_result parallel_bfs(const graph &g, vertex source, const search_memory &memory = {});

} // namespace saguaro::pbfs
