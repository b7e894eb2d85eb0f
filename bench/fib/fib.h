// SPDX-License-Identifier: MIT
//
// fib in C. C++ programs include fib.hpp.
#pragma once

#ifdef __cplusplus
extern "C" {
#endif

/// The n-th Fibonacci number by the doubly recursive definition; the serial elision of the clones,
/// compiled with the same flags. Every ratio of fib refers to it. n >= 0.
long bench_fib_serial(long n);

/// The same with as much of the recursion inlined as the compiler likes.
long bench_fib_inlined(long n);

/// The same by clones: each call but the leaves spawns one child, there is no cutoff. Call it
/// inside saguaro::run: outside it each call would pay for entering the runtime.
long bench_fib_c(long n);

#ifdef __cplusplus
}
#endif
