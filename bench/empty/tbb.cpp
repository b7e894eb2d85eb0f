// SPDX-License-Identifier: MIT
// empty as tasks of oneTBB.
#include "runtimes/tbb.hpp"

#include "driver/measure.hpp"
#include "driver/memory.hpp"
#include "empty/empty.hpp"

namespace saguaro::bench {

outcome empty_tbb(long n, int workers) {
    double seconds = measure<tbb_runtime>(workers, [n] {
        tbb::task_group threads;
        for (long i = 0; i < n; i++)
            threads.run([] {});
        threads.wait();
    });
    outcome result = seconds;
    result.uses = {{"peak_mb", peak_megabytes()}};
    return result;
}

} // namespace saguaro::bench
