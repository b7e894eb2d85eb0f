// SPDX-License-Identifier: MIT
// cilksort on OpenMP's tasks.
#include "runtimes/openmp.hpp"

#include "cilksort/cilksort.hpp"

namespace saguaro::bench {

double cilksort_openmp(long n, int workers) {
    return measure_cilksort<openmp_tasks>(n, workers, cilksort<openmp_tasks>);
}

} // namespace saguaro::bench
