// SPDX-License-Identifier: MIT
#include "runtimes/saguaro.hpp"

#include "pbfs/pbfs.hpp"

namespace saguaro::bench {

double pbfs_saguaro(long n, int workers) {
    return measure_pbfs<saguaro_runtime>(pbfs::grid3d, n, workers, pbfs::parallel_bfs);
}

double pbfs_rmat_saguaro(long n, int workers) {
    return measure_pbfs<saguaro_runtime>(pbfs::rmat, n, workers, pbfs::parallel_bfs);
}

} // namespace saguaro::bench
