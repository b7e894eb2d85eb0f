// SPDX-License-Identifier: MIT
// fib on OpenMP's tasks.
#include "runtimes/openmp.hpp"

#include "fib/fib.hpp"

namespace saguaro::bench {

double fib_openmp(long n, int workers) {
    return measure_fib<openmp_tasks>(n, workers, fib<openmp_tasks>);
}

} // namespace saguaro::bench
