// SPDX-License-Identifier: MIT
// vms-matmul on the work-stealing scheduler, for comparison with VCilk.
#include "runtimes/saguaro.hpp"

#include "vms_matmul/vms_matmul.hpp"

namespace saguaro::bench {

double vms_matmul_saguaro(long n, int workers) {
    return measure_blocked_matmul<saguaro_runtime>(n, workers);
}

} // namespace saguaro::bench
