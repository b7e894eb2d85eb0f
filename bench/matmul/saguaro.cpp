// SPDX-License-Identifier: MIT
// matmul on Saguaro: as clones in C, and with parallel_invoke.
#include "runtimes/saguaro.hpp"

#include "matmul/matmul.h"
#include "matmul/matmul.hpp"

namespace saguaro::bench {

double matmul_saguaro_c(long n, int workers) {
    return measure_product<saguaro_runtime>(n, workers, bench_matmul_c);
}

double matmul_saguaro_invoke(long n, int workers) {
    return measure_product<saguaro_runtime>(n, workers, matmul<saguaro_runtime>);
}

} // namespace saguaro::bench
