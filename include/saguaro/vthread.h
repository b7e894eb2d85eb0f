/* SPDX-License-Identifier: MIT */
/*
 * Vthread: threads, mutexes and condition variables with the meaning of POSIX, as a plug-in of
 * vms.h.
 *
 * A thread here is a virtual processor (VP). Each function takes the VP that calls it, `me`. Only
 * that VP may call it, and only in an instance that sg_vthread_run began; EINVAL otherwise, and for
 * arguments that are null. Nobody preempts a thread.
 * A thread that waits for another one outside of these functions, for example by reading a variable
 * again and again, must call sg_vthread_yield meanwhile.
 *
 * Where POSIX returns an error number, or does not say what happens, these functions end the run
 * with one line on stderr, and sg_vthread_run returns the number that stands at each function. If
 * all threads wait, the line says what each waits for.
 *
 * A thread that locks a mutex, is woken, or joins another sees what the other wrote before it
 * unlocked, signalled or ended.
 */
#pragma once

#include "saguaro/vms.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Runs function(argument, vp) as the first thread and returns when all threads have ended, also if
 * the first one ends before: sg_vms_run with this plug-in, and the same options and errors. */
int sg_vthread_run(const sg_vms_options *options, sg_vms_function function, void *argument);

/* ---- Threads ---- */

typedef struct sg_vthread_end sg_vthread_end;

/* Names a thread until it has been joined, and no other one afterwards. */
typedef struct sg_vthread {
    sg_vthread_end *end;
    uint64_t number; /* the VP's */
} sg_vthread;

typedef void *(*sg_vthread_function)(void *argument, sg_vp *me);

/* A new thread that runs function(argument, vp) some time, on any core. The caller goes on. */
sg_vthread sg_vthread_create(sg_vthread_function function, void *argument, sg_vp *me);

/* The same on one core: 0 to sg_vms_cores(me->instance) - 1, always; EINVAL otherwise. */
sg_vthread sg_vthread_create_on(unsigned core, sg_vthread_function function, void *argument,
                                sg_vp *me);

/* Waits until the thread has ended, and returns what its function returned. Once for each thread,
 * which need not be joined. EINVAL if another thread joins it; ESRCH if one has joined it; EDEADLK
 * if it is the caller. A thread may not end while it holds a mutex: EDEADLK. */
void *sg_vthread_join(sg_vthread thread, sg_vp *me);

/* Lets those run first that are ready. */
void sg_vthread_yield(sg_vp *me);

/* ---- Mutexes ---- */

/* Zeros are a mutex that is free (SG_VTHREAD_MUTEX_INIT); there is nothing to destroy. Free, it
 * belongs to no instance; a run that failed may leave it neither free nor usable. */
typedef struct sg_vthread_mutex {
    sg_vp *owner;
    sg_vp *first; /* of those that wait for it, in the order in which they came */
    sg_vp *last;
} sg_vthread_mutex;

#define SG_VTHREAD_MUTEX_INIT {NULL, NULL, NULL}

/* Waits until the mutex is free, and takes it. The thread that has waited longest gets it at the
 * moment of the unlock. EDEADLK if the caller holds the mutex. */
void sg_vthread_mutex_lock(sg_vthread_mutex *mutex, sg_vp *me);

/* Takes the mutex and returns 1, or returns 0 if the mutex is not free. Does not let other threads
 * run. */
int sg_vthread_mutex_trylock(sg_vthread_mutex *mutex, sg_vp *me);

/* Unlocks the mutex. EPERM if the caller does not hold it. Does not let other threads run. */
void sg_vthread_mutex_unlock(sg_vthread_mutex *mutex, sg_vp *me);

/* ---- Condition variables ---- */

/* Zeros are one that nobody waits at (SG_VTHREAD_COND_INIT); otherwise as for mutexes. */
typedef struct sg_vthread_cond {
    sg_vp *first; /* of those that wait, in the order in which they came */
    sg_vp *last;
    sg_vthread_mutex *mutex; /* of all of them */
} sg_vthread_cond;

#define SG_VTHREAD_COND_INIT {NULL, NULL, NULL}

/* Unlocks the mutex and waits, in one step. Returns with the mutex locked when the thread has been
 * woken, and never otherwise. EPERM if the caller does not hold the mutex; EINVAL if others wait
 * with another one. */
void sg_vthread_cond_wait(sg_vthread_cond *cond, sg_vthread_mutex *mutex, sg_vp *me);

/* Wakes the thread that waits longest, if any, with or without the mutex. Does not let other
 * threads run. */
void sg_vthread_cond_signal(sg_vthread_cond *cond, sg_vp *me);

/* Wakes all that wait. */
void sg_vthread_cond_broadcast(sg_vthread_cond *cond, sg_vp *me);

#ifdef __cplusplus
}
#endif
