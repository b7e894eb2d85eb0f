/* SPDX-License-Identifier: MIT */
/* Programs in C on Vthread and VCilk. */
#pragma once

#ifdef __cplusplus
extern "C" {
#endif

/* Two producers send 1 .. n each through a buffer of four places to three consumers. What these
 * got, summed; -1 if the run fails. */
long buffered_sum(unsigned cores, long n);

/* The n-th Fibonacci number, a spawn in every call. -1 if the run fails. */
long spawned_fib(unsigned cores, long n);

#ifdef __cplusplus
}
#endif
