// SPDX-License-Identifier: MIT
// The dense programs with OpenBLAS for their tiles, on oneTBB.
#include "runtimes/tbb.hpp"

#include "blas/blas.hpp"

namespace saguaro::bench {

double blas_strassen_tbb(long n, int workers) {
    return measure_blas_strassen<tbb_runtime>(n, workers);
}

double blas_cholesky_tbb(long n, int workers) {
    return measure_blas_cholesky<tbb_runtime>(n, workers);
}

} // namespace saguaro::bench
