// SPDX-License-Identifier: MIT
// phases on Saguaro: as a tree of forks, a loop and a scope.
#include "runtimes/saguaro.hpp"

#include "driver/registry.hpp"
#include "micro/phases/phases.hpp"

namespace saguaro::bench {

std::vector<variant> phases_saguaro() {
    using rt = saguaro_runtime;
    return {
        parallel(
            "saguaro-tree",
            [](long n, int workers) { return measure_phases<rt>(n, workers, tree_of_leaves<rt>); }),
        parallel(
            "saguaro-loop",
            [](long n, int workers) { return measure_phases<rt>(n, workers, loop_of_leaves<rt>); }),
        parallel("saguaro-scope",
                 [](long n, int workers) {
                     return measure_phases<rt>(n, workers, scope_of_leaves<rt>);
                 }),
    };
}

} // namespace saguaro::bench
