// SPDX-License-Identifier: MIT
// fib's serial elision, the base of its ratios, and the same function inlined into itself.
#include "fib/fib.h"

// A call is a call, as a spawn must be: the base of all ratios. gcc would otherwise inline the
// function into itself several levels deep, which for this function of a few instructions is worth
// a third of its time and says nothing about spawning.
__attribute__((noinline)) long bench_fib_serial(long n) {
    if (n < 2)
        return n;
    long a = bench_fib_serial(n - 1);
    long b = bench_fib_serial(n - 2);
    return a + b;
}

// The same as the compiler likes it best, for comparison.
long bench_fib_inlined(long n) {
    if (n < 2)
        return n;
    long a = bench_fib_inlined(n - 1);
    long b = bench_fib_inlined(n - 2);
    return a + b;
}
