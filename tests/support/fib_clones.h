// SPDX-License-Identifier: MIT
// A C program that spawns, for tests that need one: fib as a translator would write it.
#pragma once

#ifdef __cplusplus
extern "C" {
#endif

// The n-th Fibonacci number. Each call but the leaves spawns one child. n >= 0. Enters the workers
// if the caller is none of them.
long test_fib(long n);

#ifdef __cplusplus
}
#endif
