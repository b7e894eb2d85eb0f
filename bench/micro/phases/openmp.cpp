// SPDX-License-Identifier: MIT
// phases on OpenMP: as a tree of tasks, a loop and a scope.
#include "runtimes/openmp.hpp"

#include "micro/phases/phases.hpp"

namespace saguaro::bench {

std::vector<peer_entry> phases_openmp() {
    return {
        {"phases-tree",
         [](long n, int workers) {
             return measure_phases<openmp_tasks>(n, workers, tree_of_leaves<openmp_tasks>);
         }},
        {"phases-loop",
         [](long n, int workers) {
             return measure_phases<openmp_loops>(n, workers, loop_of_leaves<openmp_loops>);
         }},
        {"phases-scope",
         [](long n, int workers) {
             return measure_phases<openmp_tasks>(n, workers, scope_of_leaves<openmp_tasks>);
         }},
    };
}

} // namespace saguaro::bench
