/* SPDX-License-Identifier: MIT */
/* A sum that C code computes in nested runs, for run_test.cpp. */
#pragma once

#ifdef __cplusplus
extern "C" {
#endif

/* The sum of 1 to n, computed in a task that C code enters with sg_run, and in which it enters
 * again, n deep. -1 if any of the calls did not run on a worker. */
long sum_in_nested_runs(int n);

#ifdef __cplusplus
}
#endif
