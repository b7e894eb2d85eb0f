// SPDX-License-Identifier: MIT
// The dense programs with OpenBLAS for their tiles, on Saguaro.
#include "runtimes/saguaro.hpp"

#include "blas/blas.hpp"

namespace saguaro::bench {

double blas_strassen_saguaro(long n, int workers) {
    return measure_blas_strassen<saguaro_runtime>(n, workers);
}

double blas_cholesky_saguaro(long n, int workers) {
    return measure_blas_cholesky<saguaro_runtime>(n, workers);
}

} // namespace saguaro::bench
