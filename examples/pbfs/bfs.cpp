// SPDX-License-Identifier: MIT
#include "bfs.hpp"

#include "bag.hpp"
#include "frontier.hpp"

#include <saguaro/saguaro.hpp>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <span>
#include <utility>

namespace saguaro::pbfs {

bfs_result serial_bfs(const graph &g, vertex source) {
    bfs_result result = {std::vector<std::uint32_t>(g.vertices(), unreached), 0, 0};
    std::vector<vertex> queue(g.vertices());
    std::uint32_t *const distances = result.distances.data();
    vertex *head = queue.data();
    vertex *tail = head;
    *tail++ = source;
    distances[source] = 0;
    while (head != tail) {
        const vertex from = *head++;
        const std::uint32_t next = distances[from] + 1;
        for (const vertex to : g.neighbours(from)) {
            if (distances[to] == unreached) {
                distances[to] = next;
                *tail++ = to;
            }
        }
    }
    result.depth = distances[tail[-1]] + 1;
    return result;
}

namespace {

/// A vertex with more edges than this has them shared out, this many to a task: one hub of a
/// scale-free graph can have as many as all the rest of its layer.
constexpr std::size_t wide = 4096;

/// What the tasks of one layer share.
struct layer_search {
    const graph &g;
    std::uint32_t *distances;       // of all vertices
    reducer<frontier_monoid> &next; // the vertices found
    std::uint32_t distance;         // theirs
};

/// Looks along edges of a vertex in the current layer and collects the ends that are new.
///
/// Two workers may find the same vertex at once, and both insert it. That race is benign: both
/// write the same distance, and exploring a vertex twice finds nothing new the second time. It is
/// cheaper than an atomic exchange an edge, which nearly always would confirm what the load said.
/// Inlined by force: `found` then lives in registers (see bag::writer).
[[gnu::always_inline]] inline void look_along(const layer_search &s, std::span<const vertex> edges,
                                              bag::writer &found) {
    for (const vertex to : edges) {
        // Relaxed, load and store: they pair with each other across workers, and nothing is read
        // on the strength of what they say. Layers are ordered by the runtime's joins, so a task
        // sees all distances of earlier layers; of this layer's it may miss some (see above).
        const std::atomic_ref<std::uint32_t> distance(s.distances[to]);
        if (distance.load(std::memory_order_relaxed) == unreached) {
            distance.store(s.distance, std::memory_order_relaxed);
            found.insert(to);
        }
    }
}

/// The edges of one vertex with many, in parallel.
void explore_wide(const layer_search &s, std::span<const vertex> edges) {
    parallel_for(std::size_t{0}, (edges.size() + wide - 1) / wide, [&](std::size_t piece) {
        bag::writer found(s.next->mine());
        const auto rest = edges.subspan(piece * wide);
        look_along(s, rest.first(std::min(wide, rest.size())), found);
    });
}

/// The vertices of one block, with a lookup for each run of them between wide ones: parallel work
/// in between may leave the task with another view than before.
void explore_block(const layer_search &s, std::span<const vertex> vertices) {
    std::size_t i = 0;
    while (i < vertices.size()) {
        {
            bag::writer found(s.next->mine());
            for (; i < vertices.size(); ++i) {
                const auto edges = s.g.neighbours(vertices[i]);
                if (edges.size() > wide) {
                    break;
                }
                look_along(s, edges, found);
            }
        }
        if (i < vertices.size()) {
            explore_wide(s, s.g.neighbours(vertices[i++]));
        }
    }
}

/// The vertices of a bag, cut up until a task has one full block, or the hopper, or both.
void explore(const layer_search &s, bag &&layer) {
    if (layer.full_blocks() > 1) {
        bag rest = layer.split();
        parallel_invoke([&] { explore(s, std::move(layer)); },
                        [&] { explore(s, std::move(rest)); });
        return;
    }
    layer.for_each_block([&](std::span<const vertex> vertices) { explore_block(s, vertices); });
}

/// The bags of a layer. A worker begins with its own and leaves the others to be stolen.
void explore(const layer_search &s, std::span<frontier::part> parts) {
    const auto own = std::find_if(parts.begin(), parts.end(), [me = worker_id()](const auto &part) {
        return part.worker == me;
    });
    if (own != parts.end()) {
        std::swap(parts.front(), *own);
    }
    if (parts.size() == 1) {
        explore(s, std::move(parts.front().vertices));
        return;
    }
    const auto half = parts.size() / 2;
    parallel_invoke([&] { explore(s, parts.first(half)); },
                    [&] { explore(s, parts.subspan(half)); });
}

bfs_result search(const graph &g, vertex source) {
    bfs_result result = {std::vector<std::uint32_t>(g.vertices(), unreached), 0, 0};
    reducer<frontier_monoid> next;
    frontier layer;
    bag::writer(layer.mine()).insert(source);
    result.distances[source] = 0;
    while (!layer.empty()) {
        ++result.depth;
        explore({g, result.distances.data(), next, result.depth}, layer.parts);
        layer = next.take();
        result.lookups += layer.openings();
    }
    return result;
}

} // namespace

bfs_result parallel_bfs(const graph &g, vertex source) {
    return run([&] { return search(g, source); });
}

} // namespace saguaro::pbfs
