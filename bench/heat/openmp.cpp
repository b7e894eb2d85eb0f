// SPDX-License-Identifier: MIT
// heat on OpenMP's tasks.
#include "runtimes/openmp.hpp"

#include "heat/heat.hpp"

namespace saguaro::bench {

double heat_openmp(long n, int workers) {
    return measure_heat<openmp_tasks>(n, workers, heat<openmp_tasks>);
}

} // namespace saguaro::bench
