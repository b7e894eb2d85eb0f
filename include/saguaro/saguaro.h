/* SPDX-License-Identifier: MIT */
/*
 * The runtime, for C and C++: entering parallel work, the workers, what they have done.
 *
 * A worker is a thread that runs parallel work. A program need not start the workers: the first
 * sg_run does (docs/settings.md lists the settings). Any thread may call these functions, unless a
 * function says otherwise.
 */
#pragma once

#include "saguaro/detail/race_names.h"

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Calls function(argument) on a worker and returns when it has returned. Any number of threads may
 * do so at once; they share the workers. On a worker it is a plain call.
 *
 * The calling thread is a worker itself until sg_run returns. So a call from outside costs some 0.1
 * µs, no change of threads and, as a rule, no system call. Afterwards the thread has what it had
 * before: its stack, its alternate signal stack, the exceptions that it handles, its processors and
 * its name. It begins at once, whatever other threads do, and works for its own call only. If it is
 * not alone, one of the runtime's threads for each further caller sleeps meanwhile. Ends the
 * program with one line if there is no memory for what the thread needs (some 15 KB, kept for later
 * calls). */
void sg_run(void (*function)(void *argument), void *argument) SG_BY_DETECTOR("run");

/* Calls function(argument) as sg_run does for a thread from outside, also on a worker: until it has
 * returned, the calling thread works for this call only, and for calls inside it, while other
 * workers take part in it as in any work. sg_isolate returns on the thread that has called it.
 * What belongs to the thread thus stays as it is across the call: a lock, thread_local variables,
 * the rounding mode. The function is a part of the calling task for reducers, pedigrees and
 * cancellation; it must not wait for tasks that began outside of it.
 *
 * A call on a worker takes one worker more, as a thread that enters does, and some 0.2 µs. Ends the
 * program with one line if there is no memory or no stack for it. */
void sg_isolate(void (*function)(void *argument), void *argument) SG_BY_DETECTOR("run");

/* Settings that a program chooses itself. A member that is zero or null is as the environment says,
 * or the default. */
typedef struct sg_options {
    unsigned workers;   /* 1 to 4096 */
    size_t stack_bytes; /* for each flow: 65,536 to 1,073,741,824 */
    const char *policy; /* whom thieves try: "uniform", "nearest", "biased", ... */
    int statistics;     /* 1: count spawns and times (SAGUARO_STATS prints them as well) */
    const char *cpus;   /* the processor of each worker in turn: "0,2,4-7"; as many workers, if
                           nobody says how many. "auto": SAGUARO_PIN decides */
} sg_options;

/* Starts the workers. Each but one gets a thread of its own; a thread that enters runs that one, or
 * one that is added for it. Returns 0, or EBUSY if the workers run already or the caller is a
 * worker (in the child process of a fork that a task has made, it remains one); EINVAL if an option
 * or a setting is not accepted (one line on stderr says which; docs/settings.md has when it ends
 * the program); EAGAIN if the system refuses a thread or memory. `options` may be null. */
int sg_start(const sg_options *options) SG_BY_DETECTOR("start");

/* Ends the workers, so that sg_start may start others, and the threads that are kept for runs of
 * nano-threads and virtual processors and that none has. A program need not call it. Returns 0,
 * also if no workers run, or EBUSY if the caller is a worker or a sg_run is under way.
 *
 * Destructors of the program's thread_local objects run on these threads meanwhile. They may
 * call what they like: sg_run has one worker of its own there, sg_start and sg_stop return EBUSY.
 * Other threads that call sg_run or sg_start wait for the end and then get new workers. */
int sg_stop(void) SG_BY_DETECTOR("stop");

/* The number of workers that run, or that a start would begin. 1 where one does
 * everything: in the child process of a fork that a task has made, as long as that task goes on,
 * and at the end of a worker's thread. */
unsigned sg_workers(void) SG_BY_DETECTOR("workers");

/* The number of the worker that calls, from 0; -1 outside. It may change at each spawn and sync. No
 * two threads have the same number at the same time. As long as one thread at a time is in sg_run,
 * and no task in a blocking scope (blocking.h), all numbers are below sg_workers(); others that
 * enter meanwhile, and threads that stand in, have the numbers from sg_workers() on. So has, with
 * one worker, the thread that begins what threads outside have put into scopes and groups. */
int sg_worker_id(void) SG_BY_DETECTOR("worker_id");

/* What all workers together have done since they were started. The runtime counts without
 * synchronization, so the numbers are exact only when no work is under way. It counts spawns and
 * times only with statistics on. */
typedef struct sg_statistics {
    uint64_t spawns;      /* frames that were pushed */
    uint64_t tries;       /* tries to steal */
    uint64_t steals;      /* tries that succeeded */
    uint64_t full_frames; /* frames of C functions that were copied out */
    uint64_t parks;       /* stacks that were suspended at a join */
    uint64_t sleeps;      /* times that a worker went to sleep */
    uint64_t views;       /* views that reducers' lookups created */
    uint64_t transferals; /* sets of views that were handed over */
    uint64_t merges;      /* pairs of sets that were merged */
    uint64_t reduces;     /* pairs of views that were reduced */
    uint64_t stacks;      /* the most that the workers had at once */
    double work_seconds;  /* all workers together: running the program, */
    double steal_seconds; /* looking for work, */
    double sleep_seconds; /* sleeping */
    /* Of the work, what reducers cost beyond their lookups, which happens after steals only: */
    double creation_seconds;   /* making identity views, */
    double insertion_seconds;  /* putting a strand's new views where its lookups find them, */
    double transferal_seconds; /* moving sets of views between workers, */
    double merge_seconds;      /* joining sets of views, the monoids' reduce included */
} sg_statistics;

/* Fills `out`; all zero if no workers run. */
void sg_get_statistics(sg_statistics *out);

#ifdef __cplusplus
}
#endif
