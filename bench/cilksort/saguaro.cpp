// SPDX-License-Identifier: MIT
// cilksort on Saguaro: as clones in C, and with parallel_invoke.
#include "runtimes/saguaro.hpp"

#include "cilksort/cilksort.h"
#include "cilksort/cilksort.hpp"

namespace saguaro::bench {

double cilksort_saguaro_c(long n, int workers) {
    return measure_cilksort<saguaro_runtime>(n, workers, bench_cilksort_c);
}

double cilksort_saguaro_invoke(long n, int workers) {
    return measure_cilksort<saguaro_runtime>(n, workers, cilksort<saguaro_runtime>);
}

} // namespace saguaro::bench
