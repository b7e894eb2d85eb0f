// SPDX-License-Identifier: MIT
// cilksort on oneTBB.
#include "runtimes/tbb.hpp"

#include "cilksort/cilksort.hpp"

namespace saguaro::bench {

double cilksort_tbb(long n, int workers) {
    return measure_cilksort<tbb_runtime>(n, workers, cilksort<tbb_runtime>);
}

} // namespace saguaro::bench
