/* SPDX-License-Identifier: MIT */
/*
 * Vthread: threads, mutexes, condition variables, semaphores, barriers and read-write locks with
 * the meaning of POSIX, as a plug-in of vms.h.
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

#include "saguaro/detail/race_names.h"
#include "saguaro/vms.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Runs function(argument, vp) as the first thread and returns when all threads have ended, also if
 * the first one ends before: sg_vms_run with this plug-in, and the same options and errors. */
int sg_vthread_run(const sg_vms_options *options, sg_vms_function function, void *argument)
    SG_NOT_SERIES_PARALLEL("virtual processors");

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
 * if it is the caller. A thread may not end while it holds a mutex, or an rwlock to write:
 * EDEADLK. */
void *sg_vthread_join(sg_vthread thread, sg_vp *me);

/* Lets those run first that are ready. */
void sg_vthread_yield(sg_vp *me);

/* ---- Mutexes ---- */

/* Zeros are a mutex that is free (SG_VTHREAD_MUTEX_INIT); there is nothing to destroy. Free, it
 * belongs to no instance; a run that failed may leave it neither free nor usable. */
typedef struct sg_vthread_mutex {
    sg_vp *owner;
    sg_vp *first; /* the queue of waiting threads */
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
    sg_vp *first; /* the queue of waiting threads */
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

/* ---- Semaphores ---- */

/* A counting semaphore (SG_VTHREAD_SEM_INIT(count)); otherwise as for mutexes. */
typedef struct sg_vthread_sem {
    unsigned count;
    sg_vp *first; /* the queue of waiting threads */
    sg_vp *last;
} sg_vthread_sem;

#define SG_VTHREAD_SEM_INIT(count) {(count), NULL, NULL}

/* Waits until the count is above 0, and takes one off. */
void sg_vthread_sem_wait(sg_vthread_sem *sem, sg_vp *me);

/* Takes one off and returns 1, or returns 0 if the count is 0. Does not let other threads run. */
int sg_vthread_sem_trywait(sg_vthread_sem *sem, sg_vp *me);

/* Lets the thread that waits longest go on, or adds one to the count if none waits: at most
 * UINT_MAX, otherwise EOVERFLOW. Does not let other threads run. */
void sg_vthread_sem_post(sg_vthread_sem *sem, sg_vp *me);

/* ---- Barriers ---- */

/* For so many threads, again and again (SG_VTHREAD_BARRIER_INIT(threads)). */
typedef struct sg_vthread_barrier {
    unsigned threads;
    unsigned arrived;
    sg_vp *first; /* the queue of waiting threads */
    sg_vp *last;
} sg_vthread_barrier;

#define SG_VTHREAD_BARRIER_INIT(threads) {(threads), 0, NULL, NULL}

/* Waits until `threads` threads have called it, and then lets all of them go on. Returns 1 to the
 * last caller and 0 to the others. Each sees what all did before. EINVAL if `threads` is 0. */
int sg_vthread_barrier_wait(sg_vthread_barrier *barrier, sg_vp *me);

/* ---- Once ---- */

/* Zeros are one that has not run (SG_VTHREAD_ONCE_INIT). */
typedef struct sg_vthread_once {
    int is_done;
    sg_vp *runner; /* the thread that calls the function */
    sg_vp *first;  /* the queue of threads that wait for it */
    sg_vp *last;
} sg_vthread_once;

#define SG_VTHREAD_ONCE_INIT {0, NULL, NULL, NULL}

/* Calls function(argument) in the thread that comes first; the others wait until it has returned.
 * If it throws a C++ exception, which goes on to its caller, the next thread that waits or comes
 * calls it again. EDEADLK if the function comes back to its own `once`. */
void sg_vthread_call_once(sg_vthread_once *once, void (*function)(void *argument), void *argument,
                          sg_vp *me);

/* ---- Read-write locks ---- */

/* Zeros are one that is free (SG_VTHREAD_RWLOCK_INIT); otherwise as for mutexes. */
typedef struct sg_vthread_rwlock {
    sg_vp *writer;
    unsigned readers;
    sg_vp *first; /* the queue of waiting threads */
    sg_vp *last;
} sg_vthread_rwlock;

#define SG_VTHREAD_RWLOCK_INIT {NULL, 0, NULL, NULL}

/* Wait until no thread writes, and for writing until none reads. Threads get the lock in the order
 * in which they came: one that reads waits behind one that waits to write, so a thread that reads
 * already must not lock it again. EDEADLK if the caller writes. */
void sg_vthread_rwlock_rdlock(sg_vthread_rwlock *rwlock, sg_vp *me);
void sg_vthread_rwlock_wrlock(sg_vthread_rwlock *rwlock, sg_vp *me);

/* Unlocks what the caller has locked. EPERM if another thread writes, or no thread reads; EINVAL if
 * threads of another instance wait. Does not let other threads run. */
void sg_vthread_rwlock_unlock(sg_vthread_rwlock *rwlock, sg_vp *me);

#ifdef __cplusplus
}
#endif
