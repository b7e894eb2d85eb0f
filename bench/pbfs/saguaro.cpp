// SPDX-License-Identifier: MIT
// The breadth-first searches on Saguaro.
#include "runtimes/saguaro.hpp"

#include "pbfs/pbfs.hpp"

namespace saguaro::bench {

namespace {

pbfs::bfs_result search(const pbfs::graph &graph, pbfs::vertex source) {
    return pbfs::parallel_bfs(graph, source);
}

} // namespace

double pbfs_saguaro(long n, int workers) {
    return measure_pbfs<saguaro_runtime>(pbfs::grid3d, n, workers, search);
}

double pbfs_rmat_saguaro(long n, int workers) {
    return measure_pbfs<saguaro_runtime>(pbfs::rmat, n, workers, search);
}

} // namespace saguaro::bench
