/* SPDX-License-Identifier: MIT */
/* What threads of Vthread ask of its handler. */
#pragma once

#include "saguaro/vthread.h"

enum kind {
    create,
    join,
    yield,
    lock,
    try_lock,
    unlock,
    wait,
    signal_one,
    signal_all,
    sem_wait,
    sem_try,
    sem_post,
    barrier_wait,
    once_begin,
    once_end,
    once_failed,
    lock_to_read,
    lock_to_write,
    unlock_rwlock
};

/* Lies on the stack of the VP that makes it, which stays as it is while the VP is blocked. */
struct request {
    enum kind kind;
    unsigned core;
    void *what; /* a mutex, a condition variable, a semaphore, a barrier, a once, or a rwlock */
    sg_vthread_mutex *mutex; /* with which it waits at a condition variable */
    sg_vthread_function function;
    void *argument;
    sg_vthread thread; /* to join, or the one that was created */
};

/* The plug-in's handler, which tells its instances from others. */
__attribute__((visibility("hidden"))) void sg_vthread_handle(void *state, sg_vp *me, void *request);
