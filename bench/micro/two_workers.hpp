// SPDX-License-Identifier: MIT
// A variant of a micro-bench that always has two workers.
#pragma once

#include "driver/grid.hpp"
#include "runtimes/saguaro.hpp"

namespace saguaro::bench {

/// What compute(n) returns on one of two workers, whatever --workers says.
template <double (*compute)(long)>
outcome on_two_workers(long n, int) {
    double seconds = 0;
    saguaro_runtime::enter(2, [&] { seconds = compute(n); });
    return seconds;
}

} // namespace saguaro::bench
