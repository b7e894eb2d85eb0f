/* SPDX-License-Identifier: MIT */
/* A C program of somebody else's: clones as a translator writes them, a reducer, and threads that
   a task creates. */
#include "fib_clones.h"

#include <pthread.h>
#include <saguaro/cilk_abi.h>
#include <saguaro/reducer.h>
#include <saguaro/saguaro.h>
#include <stdalign.h>
#include <stdio.h>
#include <threads.h>

static void zero(void *view, void *context) {
    (void)context;
    *(long *)view = 0;
}

static void add(void *left, void *right, void *context) {
    (void)context;
    *(long *)left += *(long *)right;
}

static const sg_monoid sum = {zero, add, NULL, sizeof(long), alignof(long), NULL, "sum"};

static void count_up(void *argument) {
    sg_reducer *total = argument;
    for (long i = 0; i < 1000; ++i)
        *(long *)sg_reducer_view(total) += i;
}

static int sees_a_workers_region(void) {
    return SG_REGION_GET(struct sg_worker *, worker) != NULL;
}

static void *posix_thread(void *argument) {
    *(int *)argument = sees_a_workers_region();
    return NULL;
}

static int c11_thread(void *argument) {
    *(int *)argument = sees_a_workers_region();
    return 0;
}

/* Who passes for a worker: the one that creates the threads alone should. */
struct seen {
    int creator, posix, c11;
};

static void create_threads(void *argument) {
    struct seen *seen = argument;
    seen->creator = sees_a_workers_region();
    pthread_t posix;
    if (pthread_create(&posix, NULL, posix_thread, &seen->posix) == 0)
        pthread_join(posix, NULL);
    thrd_t c11;
    if (thrd_create(&c11, c11_thread, &seen->c11) == thrd_success)
        thrd_join(c11, NULL);
}

int main(void) {
    const sg_options options = {.workers = 1};
    if (sg_start(&options) != 0)
        return 1;
    printf("fib %ld\n", test_fib(20));

    sg_reducer total;
    if (sg_reducer_create(&total, &sum) != 0)
        return 1;
    sg_run(count_up, &total);
    printf("sum %ld\n", *(long *)sg_reducer_view(&total));
    sg_reducer_destroy(&total);

    struct seen seen = {-1, -1, -1};
    sg_run(create_threads, &seen);
    printf("creator %d posix %d c11 %d\n", seen.creator, seen.posix, seen.c11);
    return sg_stop();
}
