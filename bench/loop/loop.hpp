// SPDX-License-Identifier: MIT
//
// loop: an almost empty body at grain 1, so that what is measured is the loop itself.
#pragma once

#include "driver/measure.hpp"

namespace saguaro::bench {

/// What the body adds to. One for each thread: a single one would be a race, and measure how its
/// cache line travels between the workers. Volatile, so that no compiler folds a million additions
/// into one.
///
/// A double, because the price of adding to an integer in memory is an accident of its address:
/// some processors rename such a cell into a register when it is addressed one way and not when
/// it is addressed another (0.35 ns for thread-local, 2.4 ns for global, on one and the same
/// core). Floating-point cells they do not rename: 2.7 ns, about what the global integer costs.
/// Beside a body of 0.35 ns the store, load and branch of a stealable step would be a ratio of 2.
inline constinit thread_local volatile double loop_cell = 0;

/// The body: one volatile add. A function object, which every runtime's loop can inline; a plain
/// function would be called through a pointer.
inline constexpr auto loop_body = [](long) { loop_cell = loop_cell + 1; };

/// The body, n times, in the runtime's parallel loop.
template <typename runtime>
void loop(long n) {
    runtime::for_each(0, n, loop_body);
}

/// The seconds that compute(n) takes inside the runtime. With one worker every iteration is
/// counted. With more, what the other threads did is out of reach: nothing in the body may cost
/// what it would take to tell.
template <typename runtime>
double measure_loop(long n, int workers, void (*compute)(long)) {
    long counted = 0;
    double seconds = measure<runtime>(workers, [&] {
        double before = loop_cell;
        compute(n);
        counted = static_cast<long>(loop_cell - before);
    });
    if (workers == 1)
        expect_equal(n, counted);
    return seconds;
}

// The variants, by file. Each solves the problem once, checks the answer and returns the seconds.

double loop_saguaro(long n, int workers); // saguaro.cpp
double loop_tbb(long n, int workers);     // tbb.cpp
double loop_openmp(long n, int workers);  // openmp.cpp, in a program of its own

} // namespace saguaro::bench
