// SPDX-License-Identifier: MIT
// fib on oneTBB.
#include "runtimes/tbb.hpp"

#include "fib/fib.hpp"

namespace saguaro::bench {

double fib_tbb(long n, int workers) {
    return measure_fib<tbb_runtime>(n, workers, fib<tbb_runtime>);
}

} // namespace saguaro::bench
