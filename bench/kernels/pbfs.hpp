// SPDX-License-Identifier: MIT
//
// pbfs: the breadth-first search of examples/pbfs, in a grid.
#pragma once

#include "measure.hpp"

#include <memory>
#include <pbfs/bfs.hpp>
#include <pbfs/generators.hpp>

namespace saguaro::bench {

using pbfs_search = pbfs::bfs_result (*)(const pbfs::graph &, pbfs::vertex);

/// A grid of n x n x n vertices, and what a search from its corner must find.
struct pbfs_problem {
    explicit pbfs_problem(long n) : size(n), graph(pbfs::grid3d(static_cast<unsigned long>(n))) {}

    long size;
    pbfs::graph graph;
    pbfs::bfs_result answer = pbfs::serial_bfs(graph, 0);
};

/// Kept from run to run: making the graph takes longer than searching it.
inline const pbfs_problem &pbfs_problem_of(long n) {
    static std::unique_ptr<pbfs_problem> last;
    if (!last || last->size != n) {
        last = std::make_unique<pbfs_problem>(n);
    }
    return *last;
}

/// The seconds that compute(graph, source) takes inside the runtime; every distance is checked.
template <typename runtime>
double measure_pbfs(long n, int workers, pbfs_search compute) {
    const pbfs_problem &given = pbfs_problem_of(n);
    pbfs::bfs_result found;
    double seconds = measure<runtime>(workers, [&] { found = compute(given.graph, 0); });
    expect_equal(given.answer.depth, found.depth);
    if (found.distances != given.answer.distances) {
        throw wrong_answer("a distance differs from the serial search's");
    }
    return seconds;
}

} // namespace saguaro::bench
