/* SPDX-License-Identifier: MIT */
/* A tree of tasks in one group, made in C. */
#pragma once

#ifdef __cplusplus
extern "C" {
#endif

/* The nodes of a tree of so many levels, each with three children, counted by tasks that run tasks;
 * -1 if a call reports an error. */
long count_nodes_in_a_group(int levels);

/* How many of ten tasks are called of which the first cancels the group, in a run; -1 if the wait
 * does not say so. */
int tasks_of_a_cancelled_group(void);

#ifdef __cplusplus
}
#endif
