// SPDX-License-Identifier: MIT
// The serial search with a queue, and the parallel one with bags on Saguaro.
#include "bfs.hpp"

#include "layered_search.hpp"

#include <saguaro/saguaro.hpp>

#include <cstddef>
#include <utility>

namespace saguaro::pbfs {

bfs_result serial_bfs(const graph &g, vertex source) {
    bfs_result result = {std::pmr::vector<std::uint32_t>(g.vertices(), unreached), 0, 0};
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

/// This library, as layered_search sees it: the next layer is a reducer.
struct saguaro_runtime {
    static int worker() { return worker_id(); }

    static void invoke(auto &&f, auto &&g) { parallel_invoke(f, g); }

    static void for_each(std::size_t first, std::size_t last, auto &&body) {
        parallel_for(first, last, body);
    }

    struct collector {
        bag &mine() { return found->mine(); }
        frontier take() { return found.take(); }

        explicit collector(std::pmr::memory_resource *memory) : found(frontier_monoid{memory}) {}

        reducer<frontier_monoid> found;
    };
};

} // namespace

bfs_result parallel_bfs(const graph &g, vertex source, const search_memory &memory) {
    return run([&] { return layered_search<saguaro_runtime>(g, memory).from(source); });
}

} // namespace saguaro::pbfs
