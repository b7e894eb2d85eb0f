// SPDX-License-Identifier: MIT
// loop as a parallel for of OpenMP.
#include "runtimes/openmp.hpp"

#include "loop/loop.hpp"

namespace saguaro::bench {

double loop_openmp(long n, int workers) {
    return measure_loop<openmp_loops>(n, workers, loop<openmp_loops>);
}

} // namespace saguaro::bench
