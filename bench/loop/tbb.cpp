// SPDX-License-Identifier: MIT
// loop with oneTBB's parallel_for.
#include "runtimes/tbb.hpp"

#include "loop/loop.hpp"

namespace saguaro::bench {

double loop_tbb(long n, int workers) {
    return measure_loop<tbb_runtime>(n, workers, loop<tbb_runtime>);
}

} // namespace saguaro::bench
