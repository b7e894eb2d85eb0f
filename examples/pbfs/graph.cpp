// SPDX-License-Identifier: MIT
// Building compressed rows from a list of edges.
#include "graph.hpp"

#include "progress.hpp"

#include <algorithm>
#include <utility>

namespace saguaro::pbfs {

graph::graph(std::pmr::vector<std::uint64_t> offsets, std::pmr::vector<vertex> targets)
    : offsets_(std::move(offsets)), targets_(std::move(targets)) {}

namespace {

/// Calls visit(from, to) for each directed edge, mirrored ones right after their originals. In a
/// file in the usual order, column after column, rows then come out sorted by themselves.
template <typename Visit>
void for_each_directed(const std::vector<edge> &edges, direction kind, Visit visit) {
    for (const edge &e : edges) {
        visit(e.from, e.to);
        if (kind == direction::both_ways && e.from != e.to)
            visit(e.to, e.from);
    }
}

/// Puts the target of each edge where the next one of its row stands, offsets[from + 1], which
/// moves on by one.
void place_edges(const std::vector<edge> &edges, direction kind,
                 std::pmr::vector<std::uint64_t> &offsets, std::pmr::vector<vertex> &targets) {
    std::uint64_t placed = 0;
    progress shown("placing edges", std::max<std::size_t>(targets.size(), 1));
    for_each_directed(edges, kind, [&](vertex from, vertex to) {
        targets[offsets[std::size_t{from} + 1]++] = to;
        shown.update(++placed);
    });
}

/// Sorts each row, drops repeated targets and closes the gaps that leaves.
void tidy_rows(std::pmr::vector<std::uint64_t> &offsets, std::pmr::vector<vertex> &targets) {
    auto kept = targets.begin();
    auto row = targets.begin();
    progress shown("sorting rows", offsets.size());
    for (std::size_t v = 0; v + 1 < offsets.size(); ++v) {
        const auto end = targets.begin() + static_cast<std::ptrdiff_t>(offsets[v + 1]);
        if (!std::is_sorted(row, end))
            std::sort(row, end);
        offsets[v] = static_cast<std::uint64_t>(kept - targets.begin());
        kept = std::unique_copy(row, end, kept);
        row = end;
        shown.update(v);
    }
    targets.erase(kept, targets.end());
    offsets.back() = targets.size();
}

} // namespace

graph build_graph(vertex vertices, std::vector<edge> edges, direction kind) {
    // Counts go two places up. After the running sum, offsets[v + 1] is where row v begins; it
    // moves on with each edge placed and ends as the beginning of row v + 1, which it is to be.
    std::pmr::vector<std::uint64_t> offsets(std::size_t{vertices} + 2, 0);
    for_each_directed(edges, kind, [&](vertex from, vertex) { ++offsets[std::size_t{from} + 2]; });
    for (std::size_t v = 2; v < offsets.size(); ++v)
        offsets[v] += offsets[v - 1];
    std::pmr::vector<vertex> targets(offsets.back());
    place_edges(edges, kind, offsets, targets);
    offsets.pop_back();
    std::vector<edge>().swap(edges);
    tidy_rows(offsets, targets);
    return {std::move(offsets), std::move(targets)};
}

} // namespace saguaro::pbfs
