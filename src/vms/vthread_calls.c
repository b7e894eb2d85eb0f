/* SPDX-License-Identifier: MIT */
/* The functions of saguaro/vthread.h that threads call: each makes one request. */
#include "vms/call.h"
#include "vms/vthread_requests.h"

static bool belongs(const sg_vp *me, const char *function) {
    return sg_vms_belongs(me, sg_vthread_handle, "vthread", function);
}

/* With a suspension, or without one. */
static bool ask(enum kind kind, void *what, sg_vp *me) {
    struct request r = {.kind = kind, .what = what};
    return sg_vms_request(me, &r) != NULL;
}

static bool tell(enum kind kind, void *what, sg_vp *me) {
    struct request r = {.kind = kind, .what = what};
    return sg_vms_send(me, &r) != NULL;
}

static sg_vthread create_thread(unsigned core, sg_vthread_function function, void *argument,
                                sg_vp *me) {
    struct request r = {.kind = create, .core = core, .function = function, .argument = argument};
    sg_vms_send(me, &r);
    return r.thread;
}

sg_vthread sg_vthread_create(sg_vthread_function function, void *argument, sg_vp *me) {
    return belongs(me, "sg_vthread_create") ? create_thread(SG_VMS_ANYWHERE, function, argument, me)
                                            : (sg_vthread){NULL, 0};
}

sg_vthread sg_vthread_create_on(unsigned core, sg_vthread_function function, void *argument,
                                sg_vp *me) {
    return belongs(me, "sg_vthread_create_on") ? create_thread(core, function, argument, me)
                                               : (sg_vthread){NULL, 0};
}

void *sg_vthread_join(sg_vthread thread, sg_vp *me) {
    if (!belongs(me, "sg_vthread_join"))
        return NULL;
    struct request r = {.kind = join, .thread = thread};
    return sg_vms_request(me, &r);
}

void sg_vthread_yield(sg_vp *me) {
    if (!belongs(me, "sg_vthread_yield"))
        return;
    static struct request always = {.kind = yield}; /* never written */
    sg_vms_request(me, &always);
}

void sg_vthread_mutex_lock(sg_vthread_mutex *mutex, sg_vp *me) {
    if (belongs(me, "sg_vthread_mutex_lock"))
        ask(lock, mutex, me);
}

int sg_vthread_mutex_trylock(sg_vthread_mutex *mutex, sg_vp *me) {
    return belongs(me, "sg_vthread_mutex_trylock") && tell(try_lock, mutex, me);
}

void sg_vthread_mutex_unlock(sg_vthread_mutex *mutex, sg_vp *me) {
    if (belongs(me, "sg_vthread_mutex_unlock"))
        tell(unlock, mutex, me);
}

void sg_vthread_cond_wait(sg_vthread_cond *cond, sg_vthread_mutex *mutex, sg_vp *me) {
    if (!belongs(me, "sg_vthread_cond_wait"))
        return;
    struct request r = {.kind = wait, .what = cond, .mutex = mutex};
    sg_vms_request(me, &r);
}

void sg_vthread_cond_signal(sg_vthread_cond *cond, sg_vp *me) {
    if (belongs(me, "sg_vthread_cond_signal"))
        tell(signal_one, cond, me);
}

void sg_vthread_cond_broadcast(sg_vthread_cond *cond, sg_vp *me) {
    if (belongs(me, "sg_vthread_cond_broadcast"))
        tell(signal_all, cond, me);
}

void sg_vthread_sem_wait(sg_vthread_sem *sem, sg_vp *me) {
    if (belongs(me, "sg_vthread_sem_wait"))
        ask(sem_wait, sem, me);
}

int sg_vthread_sem_trywait(sg_vthread_sem *sem, sg_vp *me) {
    return belongs(me, "sg_vthread_sem_trywait") && tell(sem_try, sem, me);
}

void sg_vthread_sem_post(sg_vthread_sem *sem, sg_vp *me) {
    if (belongs(me, "sg_vthread_sem_post"))
        tell(sem_post, sem, me);
}

int sg_vthread_barrier_wait(sg_vthread_barrier *barrier, sg_vp *me) {
    return belongs(me, "sg_vthread_barrier_wait") && ask(barrier_wait, barrier, me);
}

/* A function that a thread calls for a `once`, and what is to be said when it has ended. */
struct call {
    enum kind ends;
    sg_vthread_once *once;
    sg_vp *me;
};

static void end_call(struct call *c) {
    tell(c->ends, c->once, c->me);
}

void sg_vthread_call_once(sg_vthread_once *once, void (*function)(void *argument), void *argument,
                          sg_vp *me) {
    if (!belongs(me, "sg_vthread_call_once"))
        return;
    if (ask(once_begin, function != NULL ? once : NULL, me)) {
        /* Also if the function throws: this file is compiled with -fexceptions. */
        struct call c __attribute__((cleanup(end_call))) = {once_failed, once, me};
        function(argument);
        c.ends = once_end;
    }
}

void sg_vthread_rwlock_rdlock(sg_vthread_rwlock *rwlock, sg_vp *me) {
    if (belongs(me, "sg_vthread_rwlock_rdlock"))
        ask(lock_to_read, rwlock, me);
}

void sg_vthread_rwlock_wrlock(sg_vthread_rwlock *rwlock, sg_vp *me) {
    if (belongs(me, "sg_vthread_rwlock_wrlock"))
        ask(lock_to_write, rwlock, me);
}

void sg_vthread_rwlock_unlock(sg_vthread_rwlock *rwlock, sg_vp *me) {
    if (belongs(me, "sg_vthread_rwlock_unlock"))
        tell(unlock_rwlock, rwlock, me);
}
