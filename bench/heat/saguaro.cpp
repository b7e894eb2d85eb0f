// SPDX-License-Identifier: MIT
// heat on Saguaro: as clones in C, and with parallel_invoke.
#include "runtimes/saguaro.hpp"

#include "heat/heat.h"
#include "heat/heat.hpp"

namespace saguaro::bench {

double heat_saguaro_c(long n, int workers) {
    return measure_heat<saguaro_runtime>(n, workers, bench_heat_c);
}

double heat_saguaro_invoke(long n, int workers) {
    return measure_heat<saguaro_runtime>(n, workers, heat<saguaro_runtime>);
}

} // namespace saguaro::bench
