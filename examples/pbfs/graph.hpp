// SPDX-License-Identifier: MIT
// Directed graphs in compressed sparse rows: one array of targets, and the place where each
// vertex's targets start.
#pragma once

#include <cstdint>
#include <limits>
#include <memory_resource>
#include <span>
#include <vector>

namespace saguaro::pbfs {

/// A vertex, counted from 0. Half the bytes of a pointer: a search is bound by memory.
using vertex = std::uint32_t;

/// The most vertices a graph may have. The largest 32-bit number is kept free for `unreached`.
inline constexpr vertex max_vertices = std::numeric_limits<vertex>::max() - 1;

/// A directed edge, as read or drawn, before it is put in its row.
struct edge {
    vertex from;
    vertex to;
};

/// An immutable graph. Reading it from any number of threads is safe.
class graph {
public:
    /// The rows as they stand: vertex v's edges are targets[offsets[v]] to targets[offsets[v + 1]],
    /// so `offsets` has one element more than there are vertices, and its last one is the length
    /// of `targets`. Not checked.
    graph(std::pmr::vector<std::uint64_t> offsets, std::pmr::vector<vertex> targets);

    /// A copy whose two arrays are in `memory`.
    graph(const graph &from, std::pmr::memory_resource *memory)
        : offsets_(from.offsets_, memory), targets_(from.targets_, memory) {}

    /// Number of vertices, those without edges included.
    vertex vertices() const { return static_cast<vertex>(offsets_.size() - 1); }

    /// Number of directed edges; self loops count, as they do in the size of a matrix.
    std::uint64_t edges() const { return targets_.size(); }

    /// Where v's edges lead, in increasing order when build_graph made the graph. v < vertices().
    std::span<const vertex> neighbours(vertex v) const {
        return {targets_.data() + offsets_[v], targets_.data() + offsets_[v + 1]};
    }

    /// The arrays themselves.
    std::span<const std::uint64_t> offsets() const { return offsets_; }
    std::span<const vertex> targets() const { return targets_; }

private:
    std::pmr::vector<std::uint64_t> offsets_;
    std::pmr::vector<vertex> targets_;
};

/// Whether an edge also leads back: a symmetric matrix stores only one of the two.
enum class direction { one_way, both_ways };

/// Sorts the edges into rows (a counting sort: O(edges + vertices)) and sorts each row; an edge
/// given twice is kept once. Self loops stay: they cost a search one look at a vertex it already
/// has, and |E| stays comparable with published sizes of the same matrix. Both ends of every edge
/// must be below `vertices`. Peak memory: 8 bytes a vertex, 12 an edge, 16 when both ways. The
/// progress goes to standard error.
graph build_graph(vertex vertices, std::vector<edge> edges, direction kind);

} // namespace saguaro::pbfs
