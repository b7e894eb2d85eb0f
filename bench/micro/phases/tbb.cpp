// SPDX-License-Identifier: MIT
// phases on oneTBB: as a tree of tasks, a loop with each of two partitioners, and a scope.
#include "runtimes/tbb.hpp"

#include "driver/registry.hpp"
#include "micro/phases/phases.hpp"

#include <tbb/blocked_range.h>
#include <tbb/partitioner.h>

namespace saguaro::bench {

namespace {

/// Its loop cut up to single iterations in any case. By itself it cuts when somebody steals.
struct tbb_simple_loop : tbb_runtime {
    static void for_each(long first, long last, auto &&body) {
        tbb::parallel_for(
            tbb::blocked_range<long>(first, last, 1),
            [&](const tbb::blocked_range<long> &part) {
                for (long i = part.begin(); i < part.end(); i++)
                    body(i);
            },
            tbb::simple_partitioner());
    }
};

} // namespace

std::vector<variant> phases_tbb() {
    using rt = tbb_runtime;
    return {
        parallel(
            "tbb-tree",
            [](long n, int workers) { return measure_phases<rt>(n, workers, tree_of_leaves<rt>); }),
        parallel(
            "tbb-loop",
            [](long n, int workers) { return measure_phases<rt>(n, workers, loop_of_leaves<rt>); }),
        parallel("tbb-loop-simple",
                 [](long n, int workers) {
                     return measure_phases<tbb_simple_loop>(n, workers,
                                                            loop_of_leaves<tbb_simple_loop>);
                 }),
        parallel("tbb-scope",
                 [](long n, int workers) {
                     return measure_phases<rt>(n, workers, scope_of_leaves<rt>);
                 }),
    };
}

} // namespace saguaro::bench
