// SPDX-License-Identifier: MIT
// strassen on OpenMP's tasks.
#include "runtimes/openmp.hpp"

#include "strassen/strassen.hpp"

namespace saguaro::bench {

double strassen_openmp(long n, int workers) {
    return measure_product<openmp_tasks>(n, workers, strassen<openmp_tasks>);
}

} // namespace saguaro::bench
