// SPDX-License-Identifier: MIT
//
// pbfs: the breadth-first search of examples/pbfs, in a grid and in a scale-free graph.
#pragma once

#include "driver/measure.hpp"

#include <memory>
#include <pbfs/bfs.hpp>
#include <pbfs/generators.hpp>

namespace saguaro::bench {

using pbfs_generator = pbfs::graph (*)(unsigned long n);
using pbfs_search = pbfs::bfs_result (*)(const pbfs::graph &, pbfs::vertex);

/// The graph that make(n) is, and what a search from its vertex 0 must find.
struct pbfs_problem {
    pbfs_problem(pbfs_generator make, long n)
        : generator(make), size(n), graph(make(static_cast<unsigned long>(n))) {}

    pbfs_generator generator;
    long size;
    pbfs::graph graph;
    pbfs::bfs_result answer = pbfs::serial_bfs(graph, 0);
};

/// Kept from run to run: making the graph takes longer than searching it.
inline const pbfs_problem &pbfs_problem_of(pbfs_generator make, long n) {
    static std::unique_ptr<pbfs_problem> last;
    if (!last || last->generator != make || last->size != n) {
        last.reset(); // the next one may need the memory
        last = std::make_unique<pbfs_problem>(make, n);
    }
    return *last;
}

/// The seconds that compute(make(n), 0) takes inside the runtime; every distance is checked.
///
/// It is the second search there: the first one brings the graph into the caches, whatever ran
/// before, and finds the memory of workers that have just begun. Some runtimes keep their threads
/// from run to run, this project's bench does not (see saguaro_runtime).
template <typename runtime>
double measure_pbfs(pbfs_generator make, long n, int workers, pbfs_search compute) {
    const pbfs_problem &given = pbfs_problem_of(make, n);
    pbfs::bfs_result found;
    const auto search = [&] { found = compute(given.graph, 0); };
    const double seconds = measure_warm<runtime>(workers, search, search);
    expect_equal(given.answer.depth, found.depth);
    if (found.distances != given.answer.distances)
        throw wrong_answer("a distance differs from the serial search's");
    return seconds;
}

// The variants, by file. Each searches once, checks the answer and returns the seconds.

double pbfs_saguaro(long n, int workers);      // saguaro.cpp
double pbfs_rmat_saguaro(long n, int workers); // saguaro.cpp
double pbfs_tbb(long n, int workers);          // tbb.cpp
double pbfs_rmat_tbb(long n, int workers);     // tbb.cpp

} // namespace saguaro::bench
