/* SPDX-License-Identifier: MIT */
/* Uses of the C headers, to be looked at by compilers and never run. ISO C11 with every warning. */
#include <saguaro/arena.h>
#include <saguaro/blocking.h>
#include <saguaro/cilk_abi.h>
#include <saguaro/nanothreads.h>
#include <saguaro/reducer.h>
#include <saguaro/saguaro.h>
#include <saguaro/ssr.h>
#include <saguaro/task_group.h>
#include <saguaro/vcilk.h>
#include <saguaro/vthread.h>

/* A function that spawns itself, as in the comment of cilk_abi.h. */
struct count_frame {
    sg_frame head;
    unsigned short n;
    unsigned short x;
};

static const sg_site at_spawn = {.kind = &sg_spawned_frames,
                                 .entry = 1,
                                 .saved_size = sizeof(struct count_frame),
                                 .frame_size = sizeof(struct count_frame),
                                 .result_offset = offsetof(struct count_frame, x),
                                 .result_size = sizeof(unsigned short),
                                 .return_size = sizeof(unsigned short)};

SG_COLD static int count_stolen(sg_deque *deque, sg_frame **tail, unsigned short x) {
    return sg_is_stolen(deque, tail, &x);
}

static unsigned short count(sg_deque *deque, sg_frame **tail, unsigned short n) {
    struct count_frame frame;
    unsigned short x;
    if (n == 0)
        return 1;
    frame.n = n;
    frame.head.site = &at_spawn;
    sg_push(tail, &frame.head);
    x = count(deque, tail + 1, (unsigned short)(n - 1));
    if (sg_pop(deque, tail) && count_stolen(deque, tail, x))
        return 0;
    if (SG_UNFINISHED(deque))
        return (unsigned short)sg_suspend(deque, &frame.head, &x);
    return x;
}

static void zero(void *view, void *context) {
    (void)context;
    *(char *)view = 0;
}

static void add(void *left, void *right, void *context) {
    (void)context;
    *(char *)left = (char)(*(char *)left | *(char *)right);
}

static const sg_monoid bits = {zero, add, NULL, 1, 1, NULL, NULL};

static void body(void *argument) {
    *(char *)sg_reducer_view((const sg_reducer *)argument) = 1;
}

static void nano_thread(void *argument) {
    sg_nt *self = sg_nt_self();
    if (argument != NULL && sg_nt_create(nano_thread, NULL, 0, &self, 1) != NULL)
        sg_nt_expect(1);
    sg_nt_join();
}

int main(void) {
    static const sg_nt_options nano = {1, 32768, "dsr"};
    sg_nt_statistics ran;
    static const sg_options options = {1, 0, "uniform", 0, 0};
    sg_frame **tail;
    sg_deque *deque = sg_enter(&tail);
    sg_reducer any;
    sg_statistics done;
    if (sg_nt_run(&nano, nano_thread, &ran, &ran) != 0)
        return 1;
    if (sg_start(&options) != 0 || sg_reducer_create(&any, &bits) != 0)
        return 1;
    sg_run(body, &any);
    sg_task_group *const group = sg_task_group_create();
    if (sg_task_group_run(group, body, &any) != 0 || sg_task_group_wait(group) != 0)
        sg_task_group_cancel(group);
    sg_task_group_destroy(group);
    sg_isolate(body, &any);
    sg_arena *const arena = sg_arena_create(2);
    sg_arena *const urgent = sg_arena_create_for(2, SG_ANY_NODE, SG_PRIORITY_HIGH);
    if (sg_arena_nodes(NULL, 0) == 1 && sg_arena_node(urgent) == SG_ANY_NODE)
        sg_arena_run(urgent, body, &any);
    sg_arena_destroy(urgent);
    if (sg_arena_workers(arena) == 2 && sg_arena_priority(arena) == SG_PRIORITY_NORMAL)
        sg_arena_run(arena, body, &any);
    sg_arena_destroy(arena);
    sg_blocking_begin();
    sg_blocking_end();
    sg_get_statistics(&done);
    if (SG_REGION_GET(struct sg_worker *, worker) == NULL)
        SG_REGION_SET(chain, NULL);
    sg_reducer_destroy(&any);
    return sg_stop() + (deque != NULL ? count(deque, tail, 3) : sg_worker_id());
}

/* Threads on virtual processors, and what begins as a macro says. */
static sg_vthread_mutex mutex = SG_VTHREAD_MUTEX_INIT;
static sg_vthread_cond cond = SG_VTHREAD_COND_INIT;

static void *waits(void *argument, sg_vp *me) {
    sg_vthread_mutex_lock(&mutex, me);
    sg_vthread_cond_wait(&cond, &mutex, me);
    sg_vthread_mutex_unlock(&mutex, me);
    return argument;
}

void use_vthread(void *argument, sg_vp *me);
void use_vthread(void *argument, sg_vp *me) {
    const sg_vthread thread = sg_vthread_create(waits, argument, me);
    sg_vthread_cond_broadcast(&cond, me);
    (void)sg_vthread_join(thread, me);
}
