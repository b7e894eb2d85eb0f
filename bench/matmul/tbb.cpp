// SPDX-License-Identifier: MIT
// matmul on oneTBB.
#include "runtimes/tbb.hpp"

#include "matmul/matmul.hpp"

namespace saguaro::bench {

double matmul_tbb(long n, int workers) {
    return measure_product<tbb_runtime>(n, workers, matmul<tbb_runtime>);
}

} // namespace saguaro::bench
