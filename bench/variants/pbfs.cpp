// SPDX-License-Identifier: MIT
#include "../kernels/pbfs.hpp"

#include "saguaro_runtime.hpp"
#include "variants.hpp"

namespace saguaro::bench {

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
