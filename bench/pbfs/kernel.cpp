// SPDX-License-Identifier: MIT
#include "pbfs/pbfs.hpp"

#include "driver/registry.hpp"
#include "runtimes/saguaro.hpp"

namespace saguaro::bench {

namespace {

template <pbfs_generator make>
double measure_serial(long n, int workers) {
    return measure_pbfs<no_runtime>(make, n, workers, pbfs::serial_bfs);
}

template <pbfs_generator make>
double measure_parallel(long n, int workers) {
    return measure_pbfs<saguaro_runtime>(make, n, workers, pbfs::parallel_bfs);
}

variant search(const char *bench, const char *name, bool parallel, double (*run)(long, int)) {
    return {
        .bench = bench, .name = name, .parallel = parallel, .greatest_size = any_size, .run = run};
}

} // namespace

std::vector<variant> pbfs_variants() {
    return {
        search("pbfs", "serial", false, measure_serial<pbfs::grid3d>),
        search("pbfs", "saguaro", true, measure_parallel<pbfs::grid3d>),
        search("pbfs-rmat", "serial", false, measure_serial<pbfs::rmat>),
        search("pbfs-rmat", "saguaro", true, measure_parallel<pbfs::rmat>),
    };
}

} // namespace saguaro::bench
