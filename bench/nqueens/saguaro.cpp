// SPDX-License-Identifier: MIT
// nqueens on Saguaro: as clones in C, and with parallel_invoke.
#include "runtimes/saguaro.hpp"

#include "nqueens/nqueens.h"
#include "nqueens/nqueens.hpp"

namespace saguaro::bench {

double nqueens_saguaro_c(long n, int workers) {
    return measure_nqueens<saguaro_runtime>(n, workers, bench_nqueens_c);
}

double nqueens_saguaro_invoke(long n, int workers) {
    return measure_nqueens<saguaro_runtime>(n, workers, nqueens<saguaro_runtime>);
}

} // namespace saguaro::bench
