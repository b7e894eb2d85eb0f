// SPDX-License-Identifier: MIT
// matmul on OpenMP's tasks.
#include "runtimes/openmp.hpp"

#include "matmul/matmul.hpp"

namespace saguaro::bench {

double matmul_openmp(long n, int workers) {
    return measure_product<openmp_tasks>(n, workers, matmul<openmp_tasks>);
}

} // namespace saguaro::bench
