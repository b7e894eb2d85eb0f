// SPDX-License-Identifier: MIT
#include "../kernels/measure.hpp"
#include "saguaro_runtime.hpp"
#include "variants.hpp"

#include <memory>
#include <pbfs/bfs.hpp>
#include <pbfs/generators.hpp>

namespace saguaro::bench {

namespace {

using search = pbfs::bfs_result (*)(const pbfs::graph &, pbfs::vertex);

/// A grid of n x n x n vertices, and what a search from its corner must find.
struct problem {
    explicit problem(long n) : size(n), graph(pbfs::grid3d(static_cast<unsigned long>(n))) {}

    long size;
    pbfs::graph graph;
    pbfs::bfs_result answer = pbfs::serial_bfs(graph, 0);
};

/// Kept from run to run: making the graph takes longer than searching it.
const problem &problem_of(long n) {
    static std::unique_ptr<problem> last;
    if (!last || last->size != n) {
        last = std::make_unique<problem>(n);
    }
    return *last;
}

template <typename runtime>
double measure_pbfs(long n, int workers, search compute) {
    const problem &given = problem_of(n);
    pbfs::bfs_result found;
    double seconds = measure<runtime>(workers, [&] { found = compute(given.graph, 0); });
    expect_equal(given.answer.depth, found.depth);
    if (found.distances != given.answer.distances) {
        throw wrong_answer("a distance differs from the serial search's");
    }
    return seconds;
}

} // namespace

std::vector<variant> pbfs_variants() {
    return {
        {.bench = "pbfs",
         .name = "serial",
         .parallel = false,
         .greatest_size = any_size,
         .run = [](long n,
                   int workers) { return measure_pbfs<no_runtime>(n, workers, pbfs::serial_bfs); }},
        {.bench = "pbfs",
         .name = "saguaro",
         .parallel = true,
         .greatest_size = any_size,
         .run =
             [](long n, int workers) {
                 return measure_pbfs<saguaro_runtime>(n, workers, pbfs::parallel_bfs);
             }},
    };
}

} // namespace saguaro::bench
