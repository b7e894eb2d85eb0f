// SPDX-License-Identifier: MIT
//
// reduce-overhead: what reducers cost because there are steals (the paper's figures 7 and 8).
// Each of some hundred forks adds to all n reducers in either half, and on several workers the
// second half is stolen every time: its strand makes n views, which are handed over and merged.
//
// Transferal and hypermerge are the runtime's counters. Making n views is measured from outside, as
// what the first pass over the reducers takes longer than the second: a clock inside the runtime,
// read at every view, would be most of what it shows. The counters, which look at one view of 64,
// say how creation and insertion share it. A median over the steals, as a preempted thread counts
// for thousands of views.
#pragma once

#include "driver/grid.hpp"
#include "micro/steal.hpp"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <vector>

namespace saguaro::bench {

/// Forks of a run, and so steals on several workers.
inline constexpr long overhead_forks = 500;

/// How many views a run makes on several workers, if nothing but the second halves is stolen.
inline double overhead_views(long n) {
    return static_cast<double>(overhead_forks) * static_cast<double>(n);
}

/// Adds to all cells in turn; returns how long that took, in nanoseconds.
template <typename cell_type>
std::int64_t add_to_all(cell_type *cells, long n) {
    std::int64_t start = platform::now_ns();
    for (long i = 0; i < n; i++)
        *cells[i] += 1;
    return platform::now_ns() - start;
}

/// Both halves add to all cells, twice. With `stolen`, the first waits until a thief has begun the
/// second: there must be a thief. Returns how much longer the second half took for its first pass,
/// in which it makes its views if it was stolen, than for its second.
template <typename cell_type>
std::int64_t fork_once(cell_type *cells, long n, bool stolen) {
    std::atomic<bool> begun = !stolen;
    std::int64_t longer = 0;
    parallel_invoke(
        [&] {
            // Relaxed: nothing but the time is learnt from it.
            while (!begun.load(std::memory_order_relaxed))
                platform::cpu_relax();
            add_to_all(cells, n);
            add_to_all(cells, n);
        },
        [&] {
            begun.store(true, std::memory_order_relaxed);
            longer = add_to_all(cells, n);
            longer -= add_to_all(cells, n);
        });
    return longer;
}

/// What the making of views took: all of it, and what the counters say of its two parts, from
/// single views that are shorter than the reading of a clock. The parts in that proportion.
struct making {
    double seconds;
    double creation;
    double insertion;

    double share(double part) const {
        double both = creation + insertion;
        return both > 0 ? seconds * part / both : 0;
    }
};

/// The overhead of one run on so many workers, as its parts and their sum. `cells` are n reducers
/// of long that count the additions: they start at zero and are checked. `more(counted)` adds to
/// the runtime's counters what is counted elsewhere.
template <typename cell_type, typename more_type>
outcome measure_reduce_overhead(cell_type *cells, long n, int workers, more_type more) {
    options chosen{};
    chosen.workers = static_cast<unsigned>(workers);
    chosen.statistics = true;
    start(chosen);
    std::vector<std::int64_t> longer;
    run([&] {
        for (long i = 0; i < overhead_forks; i++)
            longer.push_back(fork_once(cells, n, workers > 1));
    });
    sg_statistics counted = stats();
    stop();
    for (long i = 0; i < n; i++)
        expect_equal(4 * overhead_forks, *cells[i]);
    more(counted);
    making made{.seconds = workers > 1 ? std::max(median_seconds(longer), 0.0) : 0,
                .creation = counted.creation_seconds,
                .insertion = counted.insertion_seconds};
    outcome result{made.seconds + counted.transferal_seconds + counted.merge_seconds};
    result.parts = {{"creation", made.share(made.creation)},
                    {"insertion", made.share(made.insertion)},
                    {"transferal", counted.transferal_seconds},
                    {"merge", counted.merge_seconds}};
    return result;
}

} // namespace saguaro::bench
