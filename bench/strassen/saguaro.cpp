// SPDX-License-Identifier: MIT
// strassen on Saguaro: as clones in C, and with parallel_invoke.
#include "runtimes/saguaro.hpp"

#include "strassen/strassen.h"
#include "strassen/strassen.hpp"

namespace saguaro::bench {

double strassen_saguaro_c(long n, int workers) {
    return measure_product<saguaro_runtime>(n, workers, bench_strassen_c);
}

double strassen_saguaro_invoke(long n, int workers) {
    return measure_product<saguaro_runtime>(n, workers, strassen<saguaro_runtime>);
}

} // namespace saguaro::bench
