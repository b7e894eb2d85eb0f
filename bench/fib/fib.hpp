// SPDX-License-Identifier: MIT
//
// fib: nothing but the price of a spawn. Each call forks, there is no cutoff.
#pragma once

#include "driver/measure.hpp"

namespace saguaro::bench {

/// The n-th Fibonacci number, by iteration: the reference. 0 <= n <= 91.
inline long fib_value(long n) {
    long low = 0;
    long high = 1;
    for (long i = 0; i < n; i++) {
        long sum = low + high;
        low = high;
        high = sum;
    }
    return low;
}

/// How many calls of itself the double recursion makes for n, the first included.
inline double fib_calls(long n) {
    return 2.0 * static_cast<double>(fib_value(n + 1)) - 1.0;
}

/// fib with both recursive calls as arms of one invoke.
template <typename runtime>
long fib(long n) {
    if (n < 2)
        return n;
    auto [a, b] =
        runtime::invoke([n] { return fib<runtime>(n - 1); }, [n] { return fib<runtime>(n - 2); });
    return a + b;
}

/// The seconds that compute(n) takes inside the runtime; its value is checked.
template <typename runtime>
double measure_fib(long n, int workers, long (*compute)(long)) {
    long got = 0;
    double seconds = measure<runtime>(workers, [&] { got = compute(n); });
    expect_equal(fib_value(n), got);
    return seconds;
}

// The variants, by file. Each solves the problem once, checks the answer and returns the seconds.

double fib_saguaro_c(long n, int workers);      // clones.c, measured in saguaro.cpp
double fib_saguaro_invoke(long n, int workers); // saguaro.cpp
double fib_saguaro_scope(long n, int workers);  // saguaro.cpp
double fib_tbb(long n, int workers);            // tbb.cpp
double fib_openmp(long n, int workers);         // openmp.cpp, in a program of its own
double fib_lace(long n, int workers);           // lace.cpp, in a program of its own

} // namespace saguaro::bench
