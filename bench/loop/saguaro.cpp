// SPDX-License-Identifier: MIT
// loop with parallel_for.
#include "runtimes/saguaro.hpp"

#include "loop/loop.hpp"

namespace saguaro::bench {

double loop_saguaro(long n, int workers) {
    return measure_loop<saguaro_runtime>(n, workers, loop<saguaro_runtime>);
}

} // namespace saguaro::bench
