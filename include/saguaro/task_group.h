/* SPDX-License-Identifier: MIT */
/*
 * A group of tasks that any task or thread may add to, for C. task_group.hpp is for C++.
 */
#pragma once

#include "saguaro/detail/race_names.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct sg_task_group sg_task_group;

/* A new group without a maker: any task and any thread may wait for it. Null: no memory. */
sg_task_group *sg_task_group_create(void) SG_NOT_SERIES_PARALLEL("task groups");

/* Waits for the tasks and ends the group. Nothing else may use it meanwhile. Null is ignored. */
void sg_task_group_destroy(sg_task_group *group);

/* Runs function(argument) as a task of the group, as task_group::run does: from any task, in a run
 * or outside. Returns 0; EINVAL if a pointer is null, but for `argument`; ENOMEM if a task that has
 * to be put aside (outside of any run, or where a thousand tasks run one in the other) finds no
 * memory. A cancelled group calls nothing and returns 0. */
int sg_task_group_run(sg_task_group *group, void (*function)(void *argument), void *argument);

/* Returns when all tasks have ended: 0, ECANCELED if the group was cancelled, EINVAL if it is null.
 * The flow is parked if it has to wait. Called by a task of the group it waits for what this task
 * has run. Afterwards the group is as new. An exception of C++ code in a task leaves this call. */
int sg_task_group_wait(sg_task_group *group);

/* From now on no task of the group begins, until the end of the wait. Any thread. */
void sg_task_group_cancel(sg_task_group *group);

/* Whether the group, or one that the calling task descends from, is cancelled. Any thread. */
int sg_task_group_is_canceling(const sg_task_group *group);

#ifdef __cplusplus
}
#endif
