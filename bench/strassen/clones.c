// SPDX-License-Identifier: MIT
//
// strassen as a translator would write it: six spawns and a call, a sync.
#include "clones/slow.h"
#include "strassen/strassen.h"

#include <saguaro/cilk_abi.h>
#include <saguaro/saguaro.h>

struct strassen_frame {
    sg_frame head;
    struct bench_strassen level;
};

static void strassen_slow(sg_deque *deque, sg_frame **tail, sg_frame *frame);

#define STRASSEN_SITE(frames, where)                                                               \
    {.kind = &frames,                                                                              \
     .code = strassen_slow,                                                                        \
     .entry = where,                                                                               \
     .saved_size = sizeof(struct strassen_frame),                                                  \
     .frame_size = sizeof(struct strassen_frame)}

// Entry k goes on behind product k - 1, entry 8 behind the sync.
static const sg_site fast_sites[8] = {
    STRASSEN_SITE(sg_spawned_frames, 0), STRASSEN_SITE(sg_spawned_frames, 1),
    STRASSEN_SITE(sg_spawned_frames, 2), STRASSEN_SITE(sg_spawned_frames, 3),
    STRASSEN_SITE(sg_spawned_frames, 4), STRASSEN_SITE(sg_spawned_frames, 5),
    STRASSEN_SITE(sg_spawned_frames, 6), STRASSEN_SITE(sg_spawned_frames, 7)};
static const sg_site full_sites[9] = {
    STRASSEN_SITE(sg_full_frames, 0), STRASSEN_SITE(sg_full_frames, 1),
    STRASSEN_SITE(sg_full_frames, 2), STRASSEN_SITE(sg_full_frames, 3),
    STRASSEN_SITE(sg_full_frames, 4), STRASSEN_SITE(sg_full_frames, 5),
    STRASSEN_SITE(sg_full_frames, 6), STRASSEN_SITE(sg_full_frames, 7),
    STRASSEN_SITE(sg_full_frames, 8)};

static void strassen_fast(sg_deque *deque, sg_frame **tail, double *c, const double *a,
                          const double *b, long side);

static inline void product(sg_deque *deque, sg_frame **tail, const struct strassen_frame *f,
                           int step) {
    struct bench_product p = bench_strassen_step(&f->level, step);
    strassen_fast(deque, tail, p.c, p.a, p.b, f->level.side / 2);
}

static void strassen_fast(sg_deque *deque, sg_frame **tail, double *c, const double *a,
                          const double *b, long side) {
    if (side <= BENCH_STRASSEN_CUTOFF) {
        bench_strassen_leaf(c, a, b, side);
        return;
    }
    struct strassen_frame f = {{NULL}, bench_strassen_begin(c, a, b, side)};
    for (int step = 0; step < 6; step++) {
        f.head.site = &fast_sites[step + 1];
        sg_push(tail, &f.head);
        product(deque, tail + 1, &f, step);
        if (sg_pop(deque, tail) && sg_is_stolen(deque, tail, NULL))
            return;
    }
    product(deque, tail, &f, 6);
    if (SG_UNFINISHED(deque)) {
        f.head.site = &fast_sites[7];
        if (sg_suspend(deque, &f.head, NULL))
            return;
    }
    bench_strassen_end(&f.level);
}

static void strassen_slow(sg_deque *deque, sg_frame **tail, sg_frame *frame) {
    struct strassen_frame *f = (struct strassen_frame *)frame;
    switch (f->head.site->entry) {
    case 1:
        if (CLONE_SLOW_SPAWN(&full_sites[2], product(deque, tail + 1, f, 1)))
            return;
        // Fall through.
    case 2:
        if (CLONE_SLOW_SPAWN(&full_sites[3], product(deque, tail + 1, f, 2)))
            return;
        // Fall through.
    case 3:
        if (CLONE_SLOW_SPAWN(&full_sites[4], product(deque, tail + 1, f, 3)))
            return;
        // Fall through.
    case 4:
        if (CLONE_SLOW_SPAWN(&full_sites[5], product(deque, tail + 1, f, 4)))
            return;
        // Fall through.
    case 5:
        if (CLONE_SLOW_SPAWN(&full_sites[6], product(deque, tail + 1, f, 5)))
            return;
        // Fall through.
    case 6:
        if (CLONE_SLOW_CALL(&full_sites[7], product(deque, tail, f, 6)))
            return;
        // Fall through.
    case 7:
        if (sg_sync(deque, &f->head, &full_sites[8]))
            return;
        // Fall through.
    default:
        bench_strassen_end(&f->level);
        sg_return(deque, &f->head, NULL);
    }
}

struct strassen_call {
    double *c;
    const double *a;
    const double *b;
    long side;
};

static void call_strassen(void *argument) {
    struct strassen_call *call = argument;
    bench_strassen_c(call->c, call->a, call->b, call->side);
}

void bench_strassen_c(double *c, const double *a, const double *b, long side) {
    sg_frame **tail;
    sg_deque *deque = sg_enter(&tail);
    if (deque == NULL) {
        struct strassen_call call = {c, a, b, side};
        sg_run(call_strassen, &call);
        return;
    }
    strassen_fast(deque, tail, c, a, b, side);
    if (SG_UNFINISHED(deque))
        sg_await(deque, NULL);
}
