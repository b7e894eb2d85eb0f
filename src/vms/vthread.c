/* SPDX-License-Identifier: MIT */
/*
 * Vthread: see saguaro/vthread.h for what it promises. Mutexes, condition variables and the like
 * lie in the program's memory, and only the handler looks at them: handlers run one at a time.
 */
#include "vms/vthread_requests.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>

/* ---- State ---- */

/* How a thread ends, kept until it is joined. */
struct sg_vthread_end {
    uint64_t number; /* the thread's; 0: joined, and kept for the next thread */
    bool has_ended;
    void *result;
    sg_vp *joiner; /* blocked, or null */
    struct sg_vthread_end *next_free;
};

/* The plug-in's part of each VP. */
struct thread {
    sg_vthread_end *end; /* null for the first */
    sg_vthread_function function;
    void *argument;
    void *result;
    unsigned held;    /* mutexes, and rwlocks to write, with those that it waits for */
    unsigned in_turn; /* times that it found a mutex free, or the like */
    bool writes;      /* waits for an rwlock to write */
};

/* The semantic state of an instance. */
struct vthread {
    sg_vthread_end *free_ends;
};

/* A VP that finds all its mutexes free lets others run after so many: a program may poll. */
enum { most_in_turn = 64 };

static struct thread *thread_of(const sg_vp *vp) {
    return vp->data;
}

static unsigned long long number(const sg_vp *vp) {
    return (unsigned long long)vp->number;
}

/* ---- Threads ---- */

static void run_thread(void *unused, sg_vp *me) {
    (void)unused;
    struct thread *const self = thread_of(me);
    self->result = self->function(self->argument, me);
}

static sg_vthread_end *new_end(struct vthread *state, sg_vms *instance) {
    sg_vthread_end *const kept = state->free_ends;
    if (kept == NULL)
        return sg_vms_allocate(instance, sizeof(*kept));
    state->free_ends = kept->next_free;
    return kept;
}

static void handle_create(struct vthread *state, sg_vp *me, struct request *r) {
    if (r->function == NULL) {
        sg_vms_fail(me->instance, EINVAL, "VP %llu creates a thread with a null function",
                    number(me));
        return;
    }
    if (r->core != SG_VMS_ANYWHERE && r->core >= sg_vms_cores(me->instance)) {
        sg_vms_fail(me->instance, EINVAL, "VP %llu creates a thread on core %u; there are %u",
                    number(me), r->core, sg_vms_cores(me->instance));
        return;
    }
    sg_vp *const made = sg_vms_create(me->instance, run_thread, NULL);
    sg_vthread_end *const end = made == NULL ? NULL : new_end(state, me->instance);
    if (end == NULL)
        return;
    *end = (sg_vthread_end){.number = made->number};
    struct thread *const thread = thread_of(made);
    thread->end = end;
    thread->function = r->function;
    thread->argument = r->argument;
    made->place = r->core;
    r->thread = (sg_vthread){end, made->number};
    sg_vms_resume(made);
}

static void *joined(struct vthread *state, sg_vthread_end *end) {
    end->number = 0;
    end->next_free = state->free_ends;
    state->free_ends = end;
    return end->result;
}

static void handle_join(struct vthread *state, sg_vp *me, const struct request *r) {
    sg_vthread_end *const end = r->thread.end;
    const unsigned long long whom = r->thread.number;
    if (end == NULL) {
        sg_vms_fail(me->instance, EINVAL, "VP %llu joins a handle that names no thread",
                    number(me));
    } else if (end == thread_of(me)->end && end->number == whom) {
        sg_vms_fail(me->instance, EDEADLK, "VP %llu joins itself", number(me));
    } else if (end->number != whom) {
        sg_vms_fail(me->instance, ESRCH, "VP %llu joins VP %llu, which has been joined", number(me),
                    whom);
    } else if (end->joiner != NULL) {
        sg_vms_fail(me->instance, EINVAL, "VP %llu joins VP %llu, which VP %llu joins", number(me),
                    whom, number(end->joiner));
    } else if (end->has_ended) {
        me->answer = joined(state, end);
        sg_vms_resume_first(me);
    } else {
        end->joiner = me;
    }
}

static void handle_return(struct vthread *state, sg_vp *me) {
    const struct thread *const self = thread_of(me);
    sg_vthread_end *const end = self->end;
    if (self->held > 0) {
        sg_vms_fail(me->instance, EDEADLK, "VP %llu has ended and holds %u lock%s", number(me),
                    self->held, self->held == 1 ? "" : "s");
        return;
    }
    if (end == NULL)
        return;
    end->result = self->result;
    end->has_ended = true;
    if (end->joiner != NULL) {
        end->joiner->answer = joined(state, end);
        sg_vms_resume(end->joiner);
    }
}

/* ---- Those that wait for a mutex or at a condition variable ---- */

static void append(sg_vp **first, sg_vp **last, sg_vp *vp) {
    vp->next = NULL;
    if (*first == NULL)
        *first = vp;
    else
        (*last)->next = vp;
    *last = vp;
}

static sg_vp *take_first(sg_vp **first) {
    sg_vp *const vp = *first;
    *first = vp->next;
    return vp;
}

/* ---- Mutexes ---- */

/* False, and the instance has failed: what the VP does it does with null. */
static bool is_there(sg_vp *me, const void *what, const char *does) {
    if (what == NULL)
        sg_vms_fail(me->instance, EINVAL, "VP %llu %s, which is null", number(me), does);
    return what != NULL;
}

/* False, and the instance has failed. */
static bool holds(sg_vp *me, const sg_vthread_mutex *mutex, const char *does) {
    if (mutex->owner == me)
        return true;
    if (mutex->owner == NULL)
        sg_vms_fail(me->instance, EPERM, "VP %llu %s mutex %p, which is free", number(me), does,
                    (const void *)mutex);
    else
        sg_vms_fail(me->instance, EPERM, "VP %llu %s mutex %p, which VP %llu holds", number(me),
                    does, (const void *)mutex, number(mutex->owner));
    return false;
}

/* It need not wait. */
static void go_on(sg_vp *me) {
    if (++thread_of(me)->in_turn % most_in_turn != 0)
        sg_vms_resume_first(me);
    else
        sg_vms_resume(me);
}

static void handle_lock(sg_vp *me, sg_vthread_mutex *mutex) {
    if (!is_there(me, mutex, "locks a mutex"))
        return;
    ++thread_of(me)->held;
    if (mutex->owner == NULL) {
        mutex->owner = me;
        go_on(me);
    } else if (mutex->owner == me) {
        sg_vms_fail(me->instance, EDEADLK, "VP %llu locks mutex %p, which it holds", number(me),
                    (void *)mutex);
    } else if (mutex->owner->instance != me->instance) {
        sg_vms_fail(me->instance, EINVAL, "VP %llu locks mutex %p of another instance", number(me),
                    (void *)mutex);
    } else {
        append(&mutex->first, &mutex->last, me);
    }
}

static void handle_try_lock(sg_vp *me, sg_vthread_mutex *mutex) {
    if (!is_there(me, mutex, "tries to lock a mutex"))
        return;
    const bool is_free = mutex->owner == NULL;
    if (is_free) {
        mutex->owner = me;
        ++thread_of(me)->held;
    }
    me->answer = is_free ? me : NULL;
}

/* Whoever waits longest has it then, and goes on. Of a VP that may be on another core as little is
 * touched as can be: each line of its memory that is handed over costs some 50 ns. */
static void hand_over(sg_vthread_mutex *mutex) {
    sg_vp *const next = mutex->first;
    mutex->owner = next;
    if (next != NULL)
        sg_vms_resume(take_first(&mutex->first));
}

static void handle_unlock(sg_vp *me, sg_vthread_mutex *mutex) {
    if (!is_there(me, mutex, "unlocks a mutex") || !holds(me, mutex, "unlocks"))
        return;
    --thread_of(me)->held;
    hand_over(mutex);
}

/* ---- Condition variables ---- */

static void handle_wait(sg_vp *me, const struct request *r) {
    sg_vthread_cond *const cond = r->what;
    if (!is_there(me, cond, "waits at a condition variable") ||
        !is_there(me, r->mutex, "waits with a mutex") || !holds(me, r->mutex, "waits with"))
        return;
    if (cond->first != NULL && cond->mutex != r->mutex) {
        sg_vms_fail(me->instance, EINVAL,
                    "VP %llu waits at condition variable %p with mutex %p; others do with mutex %p",
                    number(me), (void *)cond, (void *)r->mutex, (void *)cond->mutex);
        return;
    }
    cond->mutex = r->mutex;
    append(&cond->first, &cond->last, me);
    hand_over(r->mutex);
}

/* Who is woken wakes with the mutex, and so waits for it first: it need not run to do so. */
static void wake_first(sg_vthread_cond *cond) {
    sg_vp *const woken = take_first(&cond->first);
    sg_vthread_mutex *const mutex = cond->mutex;
    if (mutex->owner == NULL) {
        mutex->owner = woken;
        sg_vms_resume(woken);
    } else {
        append(&mutex->first, &mutex->last, woken);
    }
}

static void handle_signal(sg_vp *me, sg_vthread_cond *cond) {
    if (is_there(me, cond, "signals a condition variable") && cond->first != NULL)
        wake_first(cond);
}

static void handle_broadcast(sg_vp *me, sg_vthread_cond *cond) {
    while (is_there(me, cond, "broadcasts a condition variable") && cond->first != NULL)
        wake_first(cond);
}

/* ---- Semaphores, barriers, once ---- */

/* False, and the instance has failed: `other`, if there is one, is a thread of another instance. */
static bool is_of_mine(sg_vp *me, const sg_vp *other, const char *does, const void *what) {
    if (other == NULL || other->instance == me->instance)
        return true;
    sg_vms_fail(me->instance, EINVAL, "VP %llu %s %p of another instance", number(me), does, what);
    return false;
}

static void handle_sem_wait(sg_vp *me, sg_vthread_sem *sem) {
    if (!is_there(me, sem, "waits for a semaphore"))
        return;
    if (sem->count > 0) {
        --sem->count;
        go_on(me);
    } else if (is_of_mine(me, sem->first, "waits for semaphore", sem)) {
        append(&sem->first, &sem->last, me);
    }
}

static void handle_sem_try(sg_vp *me, sg_vthread_sem *sem) {
    if (!is_there(me, sem, "tries a semaphore"))
        return;
    const bool is_free = sem->count > 0;
    sem->count -= is_free;
    me->answer = is_free ? me : NULL;
}

static void handle_sem_post(sg_vp *me, sg_vthread_sem *sem) {
    if (!is_there(me, sem, "posts a semaphore") ||
        !is_of_mine(me, sem->first, "posts semaphore", sem))
        return;
    if (sem->first != NULL)
        sg_vms_resume(take_first(&sem->first));
    else if (++sem->count == 0)
        sg_vms_fail(me->instance, EOVERFLOW, "VP %llu posts semaphore %p once too often",
                    number(me), (void *)sem);
}

static void resume_all(sg_vp **first) {
    while (*first != NULL)
        sg_vms_resume(take_first(first));
}

static void handle_barrier(sg_vp *me, sg_vthread_barrier *barrier) {
    if (!is_there(me, barrier, "waits at a barrier") ||
        !is_of_mine(me, barrier->first, "waits at barrier", barrier))
        return;
    if (barrier->threads == 0) {
        sg_vms_fail(me->instance, EINVAL, "VP %llu waits at barrier %p, which is for no threads",
                    number(me), (void *)barrier);
    } else if (++barrier->arrived < barrier->threads) {
        append(&barrier->first, &barrier->last, me);
    } else {
        barrier->arrived = 0;
        resume_all(&barrier->first);
        me->answer = me;
        sg_vms_resume(me);
    }
}

/* Answers with the VP if it is to call the function. */
static void handle_once(sg_vp *me, sg_vthread_once *once) {
    if (!is_there(me, once, "runs a once, or its function"))
        return;
    if (once->is_done) {
        go_on(me);
    } else if (once->runner == NULL) {
        once->runner = me;
        me->answer = me;
        go_on(me);
    } else if (once->runner == me) {
        sg_vms_fail(me->instance, EDEADLK, "VP %llu runs once %p inside itself", number(me),
                    (void *)once);
    } else if (is_of_mine(me, once->runner, "runs once", once)) {
        append(&once->first, &once->last, me);
    }
}

static void handle_once_end(sg_vthread_once *once) {
    once->is_done = 1;
    once->runner = NULL;
    resume_all(&once->first);
}

/* The function threw. Whoever waits longest calls it again. */
static void handle_once_failed(sg_vthread_once *once) {
    sg_vp *const next = once->first;
    once->runner = next;
    if (next == NULL)
        return;
    next->answer = next;
    sg_vms_resume(take_first(&once->first));
}

/* ---- Read-write locks ---- */

/* False, and the instance has failed. */
static bool may_wait_for(sg_vp *me, const sg_vthread_rwlock *rwlock) {
    const sg_vp *const others = rwlock->writer != NULL ? rwlock->writer : rwlock->first;
    if (rwlock->writer != me)
        return is_of_mine(me, others, "waits for rwlock", rwlock);
    sg_vms_fail(me->instance, EDEADLK, "VP %llu waits for rwlock %p, which it holds", number(me),
                (const void *)rwlock);
    return false;
}

static void handle_rwlock(sg_vp *me, sg_vthread_rwlock *rwlock, bool writes) {
    if (!is_there(me, rwlock, "locks an rwlock"))
        return;
    thread_of(me)->held += writes;
    const bool is_free =
        rwlock->writer == NULL && (writes ? rwlock->readers == 0 : rwlock->first == NULL);
    if (is_free && writes) {
        rwlock->writer = me;
        go_on(me);
    } else if (is_free) {
        ++rwlock->readers;
        go_on(me);
    } else if (may_wait_for(me, rwlock)) {
        thread_of(me)->writes = writes;
        append(&rwlock->first, &rwlock->last, me);
    }
}

static void handle_rwlock_unlock(sg_vp *me, sg_vthread_rwlock *rwlock) {
    if (!is_there(me, rwlock, "unlocks an rwlock") ||
        !is_of_mine(me, rwlock->first, "unlocks rwlock", rwlock))
        return;
    if (rwlock->writer == me) {
        --thread_of(me)->held;
        rwlock->writer = NULL;
    } else if (rwlock->writer == NULL && rwlock->readers > 0) {
        --rwlock->readers;
    } else {
        sg_vms_fail(me->instance, EPERM, "VP %llu unlocks rwlock %p, which it does not hold",
                    number(me), (void *)rwlock);
        return;
    }
    /* Those that wait go on in their order: one that writes, or all that read up to the next one.
     */
    while (rwlock->first != NULL && rwlock->writer == NULL) {
        const bool writes = thread_of(rwlock->first)->writes;
        if (writes && rwlock->readers > 0)
            return;
        sg_vp *const next = take_first(&rwlock->first);
        if (writes)
            rwlock->writer = next;
        else
            ++rwlock->readers;
        sg_vms_resume(next);
    }
}

/* ---- The plug-in ---- */

/* All but a yield. Apart: what it keeps in registers would be saved for yields, too. */
__attribute__((noinline)) static void handle_others(struct vthread *state, sg_vp *me,
                                                    struct request *r) {
    switch (r->kind) {
    case create:
        handle_create(state, me, r);
        break;
    case join:
        handle_join(state, me, r);
        break;
    case yield:
        break;
    case lock:
        handle_lock(me, r->what);
        break;
    case try_lock:
        handle_try_lock(me, r->what);
        break;
    case unlock:
        handle_unlock(me, r->what);
        break;
    case wait:
        handle_wait(me, r);
        break;
    case signal_one:
        handle_signal(me, r->what);
        break;
    case signal_all:
        handle_broadcast(me, r->what);
        break;
    case sem_wait:
        handle_sem_wait(me, r->what);
        break;
    case sem_try:
        handle_sem_try(me, r->what);
        break;
    case sem_post:
        handle_sem_post(me, r->what);
        break;
    case barrier_wait:
        handle_barrier(me, r->what);
        break;
    case once_begin:
        handle_once(me, r->what);
        break;
    case once_end:
        handle_once_end(r->what);
        break;
    case once_failed:
        handle_once_failed(r->what);
        break;
    case lock_to_read:
    case lock_to_write:
        handle_rwlock(me, r->what, r->kind == lock_to_write);
        break;
    case unlock_rwlock:
        handle_rwlock_unlock(me, r->what);
        break;
    }
}

void sg_vthread_handle(void *state, sg_vp *me, void *request) {
    struct request *const r = request;
    if (r == NULL)
        handle_return(state, me);
    else if (r->kind == yield)
        sg_vms_resume(me);
    else
        handle_others(state, me, r);
}

static bool is_among(const sg_vp *waiting, const sg_vp *vp) {
    while (waiting != NULL && waiting != vp)
        waiting = waiting->next;
    return waiting != NULL;
}

/* What it does with `what`, where there is no more to say. */
static const char *const words[] = {
    [lock] = "locks mutex",
    [try_lock] = "locks mutex",
    [unlock] = "unlocks mutex",
    [wait] = "waits at condition variable",
    [signal_one] = "signals condition variable",
    [signal_all] = "broadcasts condition variable",
    [sem_wait] = "waits for semaphore",
    [sem_try] = "tries semaphore",
    [sem_post] = "posts semaphore",
    [barrier_wait] = "waits at barrier",
    [once_begin] = "waits for once",
    [once_end] = "ends once",
    [once_failed] = "throws out of once",
    [lock_to_read] = "waits to read with rwlock",
    [lock_to_write] = "waits to write with rwlock",
    [unlock_rwlock] = "unlocks rwlock",
};

/* Who has the mutex that the VP waits for, after it was woken from a condition variable if
 * `was_woken`; null if it waits for none. */
static const sg_vp *owner_of(const sg_vthread_mutex *mutex, const sg_vp *vp, bool was_woken) {
    if (mutex == NULL || mutex->owner == vp || (was_woken && !is_among(mutex->first, vp)))
        return NULL;
    return mutex->owner;
}

static void describe(void *state, const sg_vp *vp, const void *request, char *text, size_t bytes) {
    (void)state;
    const struct request *const r = request;
    const bool waits = r->kind == wait;
    const sg_vthread_mutex *const mutex = waits                                    ? r->mutex
                                          : r->kind == lock || r->kind == try_lock ? r->what
                                                                                   : NULL;
    const sg_vp *const owner = owner_of(mutex, vp, waits);
    if (r->kind == create)
        snprintf(text, bytes, "creates a thread");
    else if (r->kind == join)
        snprintf(text, bytes, "joins VP %llu", (unsigned long long)r->thread.number);
    else if (r->kind == yield)
        snprintf(text, bytes, "yields");
    else if (owner == NULL)
        snprintf(text, bytes, "%s %p", words[r->kind], r->what);
    else if (waits)
        snprintf(text, bytes,
                 "was woken from condition variable %p and waits for mutex %p, which VP %llu holds",
                 r->what, (const void *)mutex, number(owner));
    else
        snprintf(text, bytes, "%s %p, which VP %llu holds", words[r->kind], r->what, number(owner));
}

static const sg_vms_plugin plugin = {"vthread", sg_vthread_handle, sg_vms_first_come, describe,
                                     sizeof(struct thread)};

int sg_vthread_run(const sg_vms_options *options, sg_vms_function function, void *argument) {
    struct vthread state = {NULL};
    return sg_vms_run(&plugin, &state, options, function, argument);
}
