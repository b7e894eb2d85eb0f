// SPDX-License-Identifier: MIT
// The bag algorithm, for any runtime that can fork and join: that of this program, and those that
// saguaro-bench puts beside it.
#pragma once

#include "bag.hpp"
#include "bfs.hpp"
#include "footprint.hpp"
#include "frontier.hpp"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory_resource>
#include <span>
#include <utility>
#include <vector>

namespace saguaro::pbfs {

/// The search of one graph on a runtime:
///
///     struct some_runtime {
///         // A number for the worker that calls.
///         static int worker();
///         // Both functions, in parallel if it can.
///         static void invoke(auto &&f, auto &&g);
///         // body(i) for each i in first .. last-1, in parallel if it can.
///         static void for_each(std::size_t first, std::size_t last, auto &&body);
///         // The vertices found by all workers.
///         struct collector {
///             // The bags of this search, whose blocks come from `memory`.
///             explicit collector(std::pmr::memory_resource *memory);
///             // The bag of the worker that calls; good until its next fork or join.
///             bag &mine();
///             // All bags; none are left. Between layers only.
///             frontier take();
///         };
///     };
template <typename runtime>
class layered_search {
public:
    explicit layered_search(const graph &g, const search_memory &memory = {})
        : g_(g), result_{{g.vertices(), unreached, memory.distances}, 0, 0},
          distances_(result_.distances.data()), bags_(memory.bags), next_(memory.bags) {}

    /// Once. To be called on a worker.
    bfs_result from(vertex source) {
        declare_object(g_.offsets());
        declare_object(g_.targets());
        declare_object(std::span<const std::uint32_t>(result_.distances));
        frontier layer{{}, bags_};
        bag::writer(layer.of(runtime::worker())).insert(source);
        distances_[source] = 0;
        while (!layer.empty()) {
            distance_ = ++result_.depth;
            explore(layer.parts);
            layer = next_.take();
            result_.lookups += layer.openings();
        }
        return std::move(result_);
    }

private:
    /// A vertex with more edges than this has them shared out, this many to a task: one hub of a
    /// scale-free graph can have as many as all the rest of its layer.
    static constexpr std::size_t wide = 4096;

    /// So many vertices ahead a task fetches where a row is. Rows of a layer's vertices lie
    /// anywhere in a scale-free graph, and whoever does not fetch waits for each. Fetching the
    /// beginnings of the rows as well costs more than it brings.
    static constexpr std::size_t ahead = 16;

    /// Looks along edges of a vertex in the current layer and collects the ends that are new.
    ///
    /// Two workers may find the same vertex at once, and both insert it. That race is benign: both
    /// write the same distance, and exploring a vertex twice finds nothing new the second time. It
    /// is cheaper than an atomic exchange an edge, which nearly always would confirm what the load
    /// said. Inlined by force: `found` then lives in registers (see bag::writer).
    [[gnu::always_inline]] void look_along(std::span<const vertex> edges, bag::writer &found) {
        // Of its own: a store to a distance might change the members, for all that the compiler
        // knows.
        std::uint32_t *const distances = distances_;
        const std::uint32_t new_distance = distance_;
        for (const vertex to : edges) {
            // Relaxed, load and store: they pair with each other across workers, and nothing is
            // read on the strength of what they say. Layers are ordered by the runtime's joins, so
            // a task sees all distances of earlier layers; of this layer's it may miss some (see
            // above).
            const std::atomic_ref<std::uint32_t> distance(distances[to]);
            if (distance.load(std::memory_order_relaxed) == unreached) {
                distance.store(new_distance, std::memory_order_relaxed);
                found.insert(to);
            }
        }
    }

    /// Tells a recording what a task reads: the rows of `vertices`, but for rows of more than
    /// `wide` edges, which other tasks read, and `edges`. A cache line counts once, as read from
    /// memory.
    [[gnu::noinline]] void record(std::span<const vertex> vertices,
                                  std::span<const vertex> edges) const {
        sg_record_pause();
        footprint offsets, targets, distances;
        const auto add = [&](std::span<const vertex> some) {
            targets.add(some);
            for (const vertex to : some)
                distances.add(std::span<const std::uint32_t>(distances_ + to, 1));
        };
        add(edges);
        for (const vertex v : vertices) {
            offsets.add(g_.offsets().subspan(v, 2));
            if (g_.neighbours(v).size() <= wide)
                add(g_.neighbours(v));
        }
        offsets.declare();
        targets.declare();
        distances.declare();
        sg_record_resume();
    }

    /// The edges of one vertex with many, in parallel.
    void explore_wide(std::span<const vertex> edges) {
        runtime::for_each(std::size_t{0}, (edges.size() + wide - 1) / wide, [&](std::size_t piece) {
            const auto rest = edges.subspan(piece * wide);
            const auto mine = rest.first(std::min(wide, rest.size()));
            if (sg_is_recording())
                record({}, mine);
            bag::writer found(next_.mine());
            look_along(mine, found);
        });
    }

    /// The vertices of one block, with a lookup for each run of them between wide ones: parallel
    /// work in between may leave the task with another view than before.
    void explore_block(std::span<const vertex> vertices) {
        if (sg_is_recording())
            record(vertices, {});
        std::size_t i = 0;
        while (i < vertices.size()) {
            {
                bag::writer found(next_.mine());
                for (; i < vertices.size(); ++i) {
                    if (i + ahead < vertices.size())
                        __builtin_prefetch(&g_.offsets()[vertices[i + ahead]]);
                    const auto edges = g_.neighbours(vertices[i]);
                    if (edges.size() > wide)
                        break;
                    look_along(edges, found);
                }
            }
            if (i < vertices.size())
                explore_wide(g_.neighbours(vertices[i++]));
        }
    }

    /// The vertices of a bag, cut up until a task has one full block, or the hopper, or both.
    void explore(bag &&layer) {
        if (layer.full_blocks() > 1) {
            bag rest = layer.split();
            runtime::invoke([&] { explore(std::move(layer)); }, [&] { explore(std::move(rest)); });
            return;
        }
        layer.for_each_block([&](std::span<const vertex> vertices) { explore_block(vertices); });
    }

    /// The bags of a layer. A worker begins with its own and leaves the others to be stolen.
    void explore(std::span<frontier::part> parts) {
        const auto own =
            std::find_if(parts.begin(), parts.end(),
                         [me = runtime::worker()](const auto &part) { return part.worker == me; });
        if (own != parts.end())
            std::swap(parts.front(), *own);
        if (parts.size() == 1) {
            explore(std::move(parts.front().vertices));
            return;
        }
        const auto half = parts.size() / 2;
        runtime::invoke([&] { explore(parts.first(half)); }, [&] { explore(parts.subspan(half)); });
    }

    const graph &g_;
    bfs_result result_;
    // What the tasks of one layer share.
    std::uint32_t *distances_;         // of all vertices
    std::pmr::memory_resource *bags_;  // their memory
    typename runtime::collector next_; // the vertices found
    std::uint32_t distance_ = 0;       // theirs
};

} // namespace saguaro::pbfs
