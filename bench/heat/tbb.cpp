// SPDX-License-Identifier: MIT
// heat on oneTBB.
#include "runtimes/tbb.hpp"

#include "heat/heat.hpp"

namespace saguaro::bench {

double heat_tbb(long n, int workers) {
    return measure_heat<tbb_runtime>(n, workers, heat<tbb_runtime>);
}

} // namespace saguaro::bench
