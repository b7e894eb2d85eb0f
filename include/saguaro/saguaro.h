/* SPDX-License-Identifier: MIT */
/*
 * The runtime, for C and C++: entering parallel work, the workers, what they have done.
 *
 * Nothing needs to be started: the first sg_run starts the workers, as the environment says (the
 * settings are in the README). All functions may be called from any thread unless they say
 * otherwise.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Calls function(argument) on a worker and returns when it has returned. Any number of threads may
 * do so at once; they share the workers. On a worker it is a plain call.
 *
 * The thread that calls is itself a worker until then, so from outside it costs some 0.1 µs, no change
 * of threads and, as a rule, no system call. It comes back with what it had: its stack, its alternate
 * signal stack, what it handles, its processors and its name. It works for its own call only. If all
 * workers are taken it waits for one, or until another thread has done it. */
void sg_run(void (*function)(void *argument), void *argument);

/* What a program may say instead of the environment; what is zero or null is as the environment
 * says, or the default. */
typedef struct sg_options {
    unsigned workers;   /* 1 to 4096 */
    size_t stack_bytes; /* for each flow: 65,536 to 1,073,741,824 */
    const char *policy; /* whom thieves try: "uniform" */
    int statistics;     /* 1: count spawns and times (SAGUARO_STATS prints them as well) */
} sg_options;

/* Starts the workers: a thread for each but one, which is for who enters. 0; EBUSY if they run already; EINVAL if an option is out of range, with one
 * line on stderr; EAGAIN if the system refuses a thread or memory. `options` may be null. */
int sg_start(const sg_options *options);

/* Ends the workers, so that sg_start may start others. 0; EBUSY from a worker or while a sg_run is
 * under way; no error if none run. A program need not call it. */
int sg_stop(void);

/* The number of workers: those that run, or those that would be started. */
unsigned sg_workers(void);

/* The number of the worker that calls, from 0; -1 outside. It may change at each spawn and sync. */
int sg_worker_id(void);

/* What the workers have done since they were started, summed. Counted without synchronization:
 * exact when no work is under way. Spawns and times are counted only with statistics on. */
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
