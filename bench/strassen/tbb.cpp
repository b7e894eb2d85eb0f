// SPDX-License-Identifier: MIT
// strassen on oneTBB.
#include "runtimes/tbb.hpp"

#include "strassen/strassen.hpp"

namespace saguaro::bench {

double strassen_tbb(long n, int workers) {
    return measure_product<tbb_runtime>(n, workers, strassen<tbb_runtime>);
}

} // namespace saguaro::bench
