// SPDX-License-Identifier: MIT
//
// heat as a translator would write it: a function that spawns, and one that only calls it, in a
// loop.
#include "clones/slow.h"
#include "heat/heat.h"

#include <saguaro/cilk_abi.h>
#include <saguaro/saguaro.h>

// ---- step: one spawn, one call ----

struct step_frame {
    sg_frame head;
    double *to;
    const double *from;
    long n;
    long first; // the part that the continuation steps
    long last;
};

static void step_slow(sg_deque *deque, sg_frame **tail, sg_frame *frame);

#define STEP_SITE(frames, where)                                                                   \
    {.kind = &frames,                                                                              \
     .code = step_slow,                                                                            \
     .entry = where,                                                                               \
     .saved_size = sizeof(struct step_frame),                                                      \
     .frame_size = sizeof(struct step_frame)}

static const sg_site step_spawn = STEP_SITE(sg_spawned_frames, 1);
static const sg_site step_call = STEP_SITE(sg_spawned_frames, 2);
static const sg_site step_slow_call = STEP_SITE(sg_full_frames, 2);
static const sg_site step_slow_sync = STEP_SITE(sg_full_frames, 3);

static void step_fast(sg_deque *deque, sg_frame **tail, double *to, const double *from, long n,
                      long first, long last) {
    if (last - first <= BENCH_HEAT_ROWS) {
        bench_heat_rows(to, from, n, first, last);
        return;
    }
    long middle = first + (last - first) / 2;
    struct step_frame f = {{&step_spawn}, to, from, n, middle, last};
    sg_push(tail, &f.head);
    step_fast(deque, tail + 1, to, from, n, first, middle);
    if (sg_pop(deque, tail) && sg_is_stolen(deque, tail, NULL))
        return;
    step_fast(deque, tail, to, from, n, middle, last);
    if (SG_UNFINISHED(deque)) {
        f.head.site = &step_call;
        sg_suspend(deque, &f.head, NULL);
    }
}

static void step_slow(sg_deque *deque, sg_frame **tail, sg_frame *frame) {
    struct step_frame *f = (struct step_frame *)frame;
    switch (f->head.site->entry) {
    case 1:
        if (CLONE_SLOW_CALL(&step_slow_call,
                            step_fast(deque, tail, f->to, f->from, f->n, f->first, f->last))) {
            return;
        }
        // Fall through.
    case 2:
        if (sg_sync(deque, &f->head, &step_slow_sync))
            return;
        // Fall through.
    default:
        sg_return(deque, &f->head, NULL);
    }
}

// ---- heat: calls, no spawn ----

struct heat_frame {
    sg_frame head;
    double *grid;
    double *other;
    long n;
    int steps; // that are done
};

static void heat_slow(sg_deque *deque, sg_frame **tail, sg_frame *frame);

#define HEAT_SITE(frames)                                                                          \
    {.kind = &frames,                                                                              \
     .code = heat_slow,                                                                            \
     .entry = 1,                                                                                   \
     .saved_size = sizeof(struct heat_frame),                                                      \
     .frame_size = sizeof(struct heat_frame)}

static const sg_site heat_call = HEAT_SITE(sg_spawned_frames);
static const sg_site heat_slow_call = HEAT_SITE(sg_full_frames);

// The next step, counted as done: whoever goes on behind it finds it so.
static inline void next_step(sg_deque *deque, sg_frame **tail, struct heat_frame *f) {
    int odd = f->steps++ % 2;
    step_fast(deque, tail, odd ? f->grid : f->other, odd ? f->other : f->grid, f->n, 1, f->n + 1);
}

static void heat_fast(sg_deque *deque, sg_frame **tail, double *grid, double *other, long n) {
    struct heat_frame f = {{&heat_call}, grid, other, n, 0};
    while (f.steps < BENCH_HEAT_STEPS) {
        next_step(deque, tail, &f);
        if (SG_UNFINISHED(deque) && sg_suspend(deque, &f.head, NULL))
            return;
    }
}

static void heat_slow(sg_deque *deque, sg_frame **tail, sg_frame *frame) {
    struct heat_frame *f = (struct heat_frame *)frame;
    while (f->steps < BENCH_HEAT_STEPS)
        if (CLONE_SLOW_CALL(&heat_slow_call, next_step(deque, tail, f)))
            return;
    sg_return(deque, &f->head, NULL);
}

// ---- The ordinary entry ----

struct heat_arguments {
    double *grid;
    double *other;
    long n;
};

static void call_heat(void *argument) {
    struct heat_arguments *call = argument;
    bench_heat_c(call->grid, call->other, call->n);
}

void bench_heat_c(double *grid, double *other, long n) {
    sg_frame **tail;
    sg_deque *deque = sg_enter(&tail);
    if (deque == NULL) {
        struct heat_arguments call = {grid, other, n};
        sg_run(call_heat, &call);
        return;
    }
    heat_fast(deque, tail, grid, other, n);
    if (SG_UNFINISHED(deque))
        sg_await(deque, NULL);
}
