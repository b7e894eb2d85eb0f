// SPDX-License-Identifier: MIT
// The sizes and variants of pbfs and pbfs-rmat, and their serial search.
#include "driver/registry.hpp"
#include "pbfs/pbfs.hpp"

namespace saguaro::bench {

namespace {

template <pbfs_generator make>
double serial(long n, int workers) {
    return measure_pbfs<no_runtime>(make, n, workers, pbfs::serial_bfs);
}

} // namespace

registry_entry pbfs_bench() {
    const kernel problem = {.name = "pbfs",
                            .meaning = "breadth-first search of a grid of n x n x n vertices",
                            .base = "serial",
                            .sizes = {100},
                            .least_n = 2,
                            .greatest_n = 400};
    const std::vector<variant> variants = {
        fixed("serial", serial<pbfs::grid3d>),
        parallel("saguaro", pbfs_saguaro),
#if SG_BENCH_TBB
        parallel("tbb", pbfs_tbb),
#endif
    };
    return entry_of(problem, {variants});
}

registry_entry pbfs_rmat_bench() {
    const kernel problem = {.name = "pbfs-rmat",
                            .meaning = "the same of a scale-free graph of 2^n vertices",
                            .base = "serial",
                            .sizes = {18},
                            .greatest_n = 26};
    const std::vector<variant> variants = {
        fixed("serial", serial<pbfs::rmat>),
        parallel("saguaro", pbfs_rmat_saguaro),
#if SG_BENCH_TBB
        parallel("tbb", pbfs_rmat_tbb),
#endif
    };
    return entry_of(problem, {variants});
}

} // namespace saguaro::bench
