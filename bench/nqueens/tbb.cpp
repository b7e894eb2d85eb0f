// SPDX-License-Identifier: MIT
// nqueens on oneTBB.
#include "runtimes/tbb.hpp"

#include "nqueens/nqueens.hpp"

namespace saguaro::bench {

double nqueens_tbb(long n, int workers) {
    return measure_nqueens<tbb_runtime>(n, workers, nqueens<tbb_runtime>);
}

} // namespace saguaro::bench
