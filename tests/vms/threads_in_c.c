/* SPDX-License-Identifier: MIT */
/* Programs in C for the tests of Vthread and VCilk. */
#include "vms/threads_in_c.h"

#include "saguaro/vcilk.h"
#include "saguaro/vthread.h"

/* ---- Vthread ---- */

enum { places = 4, producers = 2, consumers = 3 };

struct buffer {
    sg_vthread_mutex mutex;
    sg_vthread_cond not_full;
    sg_vthread_cond not_empty;
    long items[places];
    unsigned long put;
    unsigned long got;
    long n;
    long sum;
};

static void put(struct buffer *b, long item, sg_vp *me) {
    sg_vthread_mutex_lock(&b->mutex, me);
    while (b->put - b->got == places)
        sg_vthread_cond_wait(&b->not_full, &b->mutex, me);
    b->items[b->put++ % places] = item;
    sg_vthread_cond_signal(&b->not_empty, me);
    sg_vthread_mutex_unlock(&b->mutex, me);
}

static long get(struct buffer *b, sg_vp *me) {
    sg_vthread_mutex_lock(&b->mutex, me);
    while (b->put == b->got)
        sg_vthread_cond_wait(&b->not_empty, &b->mutex, me);
    const long item = b->items[b->got++ % places];
    sg_vthread_cond_signal(&b->not_full, me);
    sg_vthread_mutex_unlock(&b->mutex, me);
    return item;
}

static void *produce(void *argument, sg_vp *me) {
    struct buffer *const b = argument;
    for (long i = 1; i <= b->n; ++i)
        put(b, i, me);
    return NULL;
}

static void *consume(void *argument, sg_vp *me) {
    struct buffer *const b = argument;
    long sum = 0;
    for (long item; (item = get(b, me)) != 0;)
        sum += item;
    sg_vthread_mutex_lock(&b->mutex, me);
    b->sum += sum;
    sg_vthread_mutex_unlock(&b->mutex, me);
    return NULL;
}

static void buffered(void *argument, sg_vp *me) {
    struct buffer *const b = argument;
    sg_vthread threads[producers];
    for (int i = 0; i < consumers; ++i)
        sg_vthread_create(consume, b, me);
    for (int i = 0; i < producers; ++i)
        threads[i] = sg_vthread_create(produce, b, me);
    for (int i = 0; i < producers; ++i)
        sg_vthread_join(threads[i], me);
    for (int i = 0; i < consumers; ++i)
        put(b, 0, me);
}

long buffered_sum(unsigned cores, long n) {
    const sg_vms_options options = {.cores = cores};
    struct buffer b = {.mutex = SG_VTHREAD_MUTEX_INIT,
                       .not_full = SG_VTHREAD_COND_INIT,
                       .not_empty = SG_VTHREAD_COND_INIT,
                       .n = n};
    return sg_vthread_run(&options, buffered, &b) == 0 ? b.sum : -1;
}

/* ---- VCilk ---- */

static void fib(void *argument, sg_vp *me) {
    long *const n = argument; /* and the result */
    if (*n < 2)
        return;
    long x = *n - 1;
    long y = *n - 2;
    sg_vcilk_spawn(fib, &x, me);
    fib(&y, me);
    sg_vcilk_sync(me);
    *n = x + y;
}

long spawned_fib(unsigned cores, long n) {
    const sg_vms_options options = {.cores = cores};
    return sg_vcilk_run(&options, fib, &n) == 0 ? n : -1;
}
