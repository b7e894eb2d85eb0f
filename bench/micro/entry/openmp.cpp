// SPDX-License-Identifier: MIT
// Entering OpenMP's regions from plain threads.
#include "runtimes/openmp.hpp"

#include "micro/entry/entry.hpp"

namespace saguaro::bench {

namespace {

/// An empty region of a team.
struct empty_region {
    static constexpr int iterations = 1;
    explicit empty_region(int workers) { omp_set_num_threads(workers); }

    void operator()(entry_marks &marks) const {
#pragma omp parallel
        if (omp_get_thread_num() == 0)
            marks.iterations[0]++;
    }
};

struct loop_of_four {
    static constexpr int iterations = entry_iterations;
    explicit loop_of_four(int workers) { omp_set_num_threads(workers); }

    void operator()(entry_marks &marks) const {
#pragma omp parallel for schedule(static)
        for (int i = 0; i < entry_iterations; i++)
            marks.iterations[i]++;
    }
};

} // namespace

std::vector<peer_entry> entry_openmp() {
    return {
        {"entry-empty", measure_entry<empty_region>},
        {"entry-loop", measure_entry<loop_of_four>},
        {"entry-empty-8", measure_entry_of_eight<empty_region>},
        {"entry-loop-8", measure_entry_of_eight<loop_of_four>},
    };
}

} // namespace saguaro::bench
