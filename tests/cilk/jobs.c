// SPDX-License-Identifier: MIT
// The clones of a function that spawns, aborts and syncs as its argument lists. In MIT Cilk it is:
//
//     long job(const struct job *j) {
//         int guard[1];                            // its address is taken: a block
//         long sum = 0, x = 0, y = 0;
//         inlet void add(long result, int i) {
//             sum += result;
//             if (j->step[i].child->stops) abort;
//         }
//         for (int i = 0; i < j->steps; i++) {
//             const struct job *child = j->step[i].child;
//             switch (j->step[i].how) {
//             case job_inlet:  add(spawn job(child), i);  break;
//             case job_result: x = spawn job(child);      break;
//             case job_call:   y = job(child);            break;
//             case job_enter:  sum += plain(child);       break;
//             case job_abort:  abort;                     break;
//             case job_sync:   sync;                      break;
//             }
//         }
//         while (j->endless) spawn leaf();
//         sync;
//         return sum + x + y + j->value;
//     }
#include "jobs.h"

#include <saguaro/cilk_abi.h>
#include <saguaro/saguaro.h>

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

void (*job_hook)(enum job_point point, const struct job *j, int i, int synched);
int job_blocks;

static void at(enum job_point point, const struct job *j, int i, int synched) {
    if (job_hook != NULL)
        job_hook(point, j, i, synched);
}

struct add_arguments {
    int i;
};

struct job_frame {
    sg_frame head;
    const struct job *j;
    int *guard; // 1 while the job's code or an inlet of it runs
    long sum;
    long x;
    long y;
    int i;
    struct add_arguments add;
};

static void job_slow(sg_deque *deque, sg_frame **tail, sg_frame *frame);
static void add(sg_frame *frame, int is_full, const void *arguments, const void *result);

enum { behind_spawn = 1, behind_call, behind_sync, behind_last_sync, cleanup };

static const sg_site clean_up;

#define JOB_SITE(frames, where, ...)                                                               \
    {.kind = &frames,                                                                              \
     .code = job_slow,                                                                             \
     .entry = where,                                                                               \
     .saved_size = sizeof(struct job_frame),                                                       \
     .frame_size = sizeof(struct job_frame),                                                       \
     .return_size = sizeof(long),                                                                  \
     .cleanup = &clean_up,                                                                         \
     __VA_ARGS__}
#define WITH_INLET                                                                                 \
    .inlet = add, .argument_offset = offsetof(struct job_frame, add),                              \
    .argument_size = sizeof(struct add_arguments), .result_size = sizeof(long)
#define INTO(variable)                                                                             \
    .result_offset = offsetof(struct job_frame, variable), .result_size = sizeof(long)

static const sg_site clean_up = JOB_SITE(sg_full_frames, cleanup, .result_size = 0);
static const sg_site sync_site = JOB_SITE(sg_full_frames, behind_sync, .result_size = 0);
static const sg_site last_sync = JOB_SITE(sg_full_frames, behind_last_sync, .result_size = 0);
// Of the fast clone, of the slow one.
static const sg_site inlet_spawn[2] = {JOB_SITE(sg_spawned_frames, behind_spawn, WITH_INLET),
                                       JOB_SITE(sg_full_frames, behind_spawn, WITH_INLET)};
static const sg_site result_spawn[2] = {JOB_SITE(sg_spawned_frames, behind_spawn, INTO(x)),
                                        JOB_SITE(sg_full_frames, behind_spawn, INTO(x))};
static const sg_site leaf_spawn[2] = {JOB_SITE(sg_spawned_frames, behind_spawn, .result_size = 0),
                                      JOB_SITE(sg_full_frames, behind_spawn, .result_size = 0)};
static const sg_site call[2] = {JOB_SITE(sg_spawned_frames, behind_call, INTO(y)),
                                JOB_SITE(sg_full_frames, behind_call, INTO(y))};

// The job's code and its inlets are never at work at the same time.
static void take_guard(int *guard) {
    if (*guard != 0) {
        fprintf(stderr, "jobs: an inlet ran while its function, or another, was at work\n");
        abort();
    }
    *guard = 1;
}

static void leave_guard(int *guard) {
    *guard = 0;
}

static int *guard_new(void) {
    int *guard = sg_block_new(sizeof(int));
    *guard = 0;
    __atomic_fetch_add(&job_blocks, 1, __ATOMIC_RELAXED);
    return guard;
}

static void guard_free(int *guard) {
    sg_block_free(guard);
    __atomic_fetch_sub(&job_blocks, 1, __ATOMIC_RELAXED);
}

static void add(sg_frame *frame, int is_full, const void *arguments, const void *result) {
    struct job_frame *f = (struct job_frame *)frame;
    int i = ((const struct add_arguments *)arguments)->i;
    const struct job *j = f->j;
    take_guard(f->guard);
    at(job_in_inlet, j, i, is_full ? sg_synched(frame) : 1);
    f->sum += *(const long *)result;
    if (j->step[i].child->stops && is_full)
        sg_abort(frame);
    at(job_behind_inlet, j, i, is_full ? sg_synched(frame) : 1);
    leave_guard(f->guard);
}

static long plain(const struct job *j) {
    return job_run(j);
}

static void leaf_fast(const struct job *j, int i) {
    at(job_in_leaf, j, i, -1);
}

static long job_fast(sg_deque *deque, sg_frame **tail, const struct job *j);

// The step f->i, or an endless job's next leaf. `full`: whether this is the slow clone. 0, or what
// the runtime returned: the clone must return.
static int run_step(sg_deque *deque, sg_frame **tail, struct job_frame *f, int full) {
    const struct job *j = f->j;
    int i = f->i, stolen = 0;
    long result;
    at(job_at_step, j, i, full ? sg_synched(&f->head) : 1);
    if (i == j->steps) {
        leave_guard(f->guard);
        f->head.site = &leaf_spawn[full];
        sg_push(tail, &f->head);
        leaf_fast(j, i);
        if (sg_pop(deque, tail) && (stolen = sg_is_stolen(deque, tail, NULL)) != 0)
            return stolen;
        if (full)
            sg_poll(&f->head);
        take_guard(f->guard);
        return 0;
    }
    const struct job *child = j->step[i].child;
    switch (j->step[i].how) {
    case job_inlet:
        f->add.i = i;
        leave_guard(f->guard);
        f->head.site = &inlet_spawn[full];
        sg_push(tail, &f->head);
        result = job_fast(deque, tail + 1, child);
        if (sg_pop(deque, tail) && (stolen = sg_is_stolen(deque, tail, &result)) != 0)
            return stolen;
        add(&f->head, full, &f->add, &result);
        if (full)
            sg_poll(&f->head);
        take_guard(f->guard);
        return 0;
    case job_result:
        leave_guard(f->guard);
        f->head.site = &result_spawn[full];
        sg_push(tail, &f->head);
        result = job_fast(deque, tail + 1, child);
        if (sg_pop(deque, tail) && (stolen = sg_is_stolen(deque, tail, &result)) != 0)
            return stolen;
        f->x = result;
        if (full)
            sg_poll(&f->head);
        take_guard(f->guard);
        return 0;
    case job_call:
        result = job_fast(deque, tail, child);
        if (SG_UNFINISHED(deque)) {
            leave_guard(f->guard);
            f->head.site = &call[full];
            stolen = sg_suspend(deque, &f->head, &result);
            if (stolen != 0)
                return stolen;
            take_guard(f->guard);
        }
        f->y = result;
        return 0;
    case job_enter:
        f->sum += plain(child);
        return 0;
    case job_abort:
        if (full)
            sg_abort(&f->head);
        return 0;
    default:
        return 0; // a fast clone's sync
    }
}

static long job_fast(sg_deque *deque, sg_frame **tail, const struct job *j) {
    struct job_frame f = {.j = j, .guard = guard_new()};
    take_guard(f.guard);
    at(job_at_start, j, 0, -1);
    while (f.i < j->steps || j->endless) {
        int stolen = run_step(deque, tail, &f, 0);
        if (stolen != 0) {
            if (stolen == SG_ABORTED) {
                guard_free(f.guard);
                at(job_cleaned_up, j, 0, -1);
            } else {
                at(job_gone, j, 0, -1);
            }
            return -1000000;
        }
        f.i += f.i < j->steps;
    }
    at(job_at_step, j, f.i, 1);
    at(job_synced, j, 0, -1);
    guard_free(f.guard);
    return f.sum + f.x + f.y + j->value;
}

static void job_slow(sg_deque *deque, sg_frame **tail, sg_frame *frame) {
    struct job_frame *f = (struct job_frame *)frame;
    const struct job *j = f->j;
    uint32_t entry = f->head.site->entry;
    if (entry == cleanup) {
        guard_free(f->guard);
        at(job_cleaned_up, j, 1, -1);
        sg_return(deque, frame, NULL);
        return;
    }
    take_guard(f->guard);
    if (entry != behind_last_sync) {
        f->i += f->i < j->steps; // the step at which it was taken, or waited, is done
        while (f->i < j->steps || j->endless) {
            if (f->i < j->steps && j->step[f->i].how == job_sync) {
                at(job_at_step, j, f->i, sg_synched(frame));
                leave_guard(f->guard);
                if (sg_sync(deque, frame, &sync_site))
                    return;
                take_guard(f->guard);
            } else if (run_step(deque, tail, f, 1)) {
                return;
            }
            f->i += f->i < j->steps;
        }
        at(job_at_step, j, f->i, sg_synched(frame));
        leave_guard(f->guard);
        if (sg_sync(deque, frame, &last_sync))
            return;
        take_guard(f->guard);
    }
    at(job_synced, j, 1, -1);
    long result = f->sum + f->x + f->y + j->value;
    guard_free(f->guard);
    sg_return(deque, frame, &result);
}

struct job_call_of {
    const struct job *j;
    long result;
};

static void call_job(void *argument) {
    struct job_call_of *c = argument;
    c->result = job_run(c->j);
}

long job_run(const struct job *j) {
    sg_frame **tail;
    sg_deque *deque = sg_enter(&tail);
    if (deque == NULL) {
        struct job_call_of c = {j, 0};
        sg_run(call_job, &c);
        return c.result;
    }
    long result = job_fast(deque, tail, j);
    if (SG_UNFINISHED(deque))
        sg_await(deque, &result);
    return result;
}
