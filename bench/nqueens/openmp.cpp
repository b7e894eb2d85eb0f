// SPDX-License-Identifier: MIT
// nqueens on OpenMP's tasks.
#include "runtimes/openmp.hpp"

#include "nqueens/nqueens.hpp"

namespace saguaro::bench {

double nqueens_openmp(long n, int workers) {
    return measure_nqueens<openmp_tasks>(n, workers, nqueens<openmp_tasks>);
}

} // namespace saguaro::bench
