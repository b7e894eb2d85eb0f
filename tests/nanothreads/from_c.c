/* SPDX-License-Identifier: MIT */
/* The whole interface from C. */
#include "saguaro/nanothreads.h"

#include <stdatomic.h>

static atomic_long sum;
static sg_nt *sleeper;

static void add(void *number) {
    atomic_fetch_add(&sum, (long)(intptr_t)number);
}

static void sleep_and_add(void *number) {
    sg_nt_block();
    add(number);
}

static void wake(void *nothing) {
    (void)nothing;
    sg_nt_unblock(sleeper);
}

static void add_all(void *n) {
    for (long i = 1; i < (long)(intptr_t)n - 1; i++)
        sg_nt_fork(add, (void *)(intptr_t)i);
    sg_nt_yield();
    sg_nt_join();
    sg_nt *self = sg_nt_self();
    sg_nt_expect(2);
    sleeper = sg_nt_create(sleep_and_add, n, 0, &self, 1);
    sg_nt *waker = sg_nt_create(wake, NULL, 1, &self, 1);
    sg_nt_satisfy(waker);
    sg_nt_join();
    if (sg_nt_processor() >= 0)
        add((void *)((intptr_t)n - 1));
}

/* 1 + 2 + ... + n, or -1. */
long sum_by_nanothreads(const char *design, unsigned processors, long n) {
    const sg_nt_options chosen = {.processors = processors, .design = design};
    atomic_store(&sum, 0);
    if (sg_nt_run(&chosen, add_all, (void *)(intptr_t)n, NULL) != 0 || sg_nt_processor() != -1)
        return -1;
    return atomic_load(&sum);
}
