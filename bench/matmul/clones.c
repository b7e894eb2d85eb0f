// SPDX-License-Identifier: MIT
//
// matmul as a translator would write it: three spawns and a call, a sync, and the same again.
#include "clones/slow.h"
#include "matmul/matmul.h"

#include <saguaro/cilk_abi.h>
#include <saguaro/saguaro.h>

struct matmul_frame {
    sg_frame head;
    double *c;
    const double *a;
    const double *b;
    long side;
};

static void matmul_slow(sg_deque *deque, sg_frame **tail, sg_frame *frame);

#define MATMUL_SITE(frames, where)                                                                 \
    {.kind = &frames,                                                                              \
     .code = matmul_slow,                                                                          \
     .entry = where,                                                                               \
     .saved_size = sizeof(struct matmul_frame),                                                    \
     .frame_size = sizeof(struct matmul_frame)}

// Entry k goes on behind product k - 1; entries 9 and 10 behind the syncs.
static const sg_site fast_sites[9] = {
    MATMUL_SITE(sg_spawned_frames, 0), MATMUL_SITE(sg_spawned_frames, 1),
    MATMUL_SITE(sg_spawned_frames, 2), MATMUL_SITE(sg_spawned_frames, 3),
    MATMUL_SITE(sg_spawned_frames, 4), MATMUL_SITE(sg_spawned_frames, 5),
    MATMUL_SITE(sg_spawned_frames, 6), MATMUL_SITE(sg_spawned_frames, 7),
    MATMUL_SITE(sg_spawned_frames, 8)};
static const sg_site full_sites[11] = {
    MATMUL_SITE(sg_full_frames, 0), MATMUL_SITE(sg_full_frames, 1), MATMUL_SITE(sg_full_frames, 2),
    MATMUL_SITE(sg_full_frames, 3), MATMUL_SITE(sg_full_frames, 4), MATMUL_SITE(sg_full_frames, 5),
    MATMUL_SITE(sg_full_frames, 6), MATMUL_SITE(sg_full_frames, 7), MATMUL_SITE(sg_full_frames, 8),
    MATMUL_SITE(sg_full_frames, 9), MATMUL_SITE(sg_full_frames, 10)};

static void matmul_fast(sg_deque *deque, sg_frame **tail, double *c, const double *a,
                        const double *b, long side);

static inline void product(sg_deque *deque, sg_frame **tail, const struct matmul_frame *f,
                           int step) {
    struct bench_product p = bench_matmul_step(f->c, f->a, f->b, f->side, step);
    matmul_fast(deque, tail, p.c, p.a, p.b, f->side / 2);
}

static void matmul_fast(sg_deque *deque, sg_frame **tail, double *c, const double *a,
                        const double *b, long side) {
    if (side == BENCH_TILE) {
        bench_tile_multiply(c, a, b);
        return;
    }
    struct matmul_frame f = {{NULL}, c, a, b, side};
    for (int step = 0; step < 8; step++) {
        f.head.site = &fast_sites[step + 1];
        if (step % 4 == 3) {
            product(deque, tail, &f, step);
            if (SG_UNFINISHED(deque) && sg_suspend(deque, &f.head, NULL))
                return;
            continue;
        }
        sg_push(tail, &f.head);
        product(deque, tail + 1, &f, step);
        if (sg_pop(deque, tail) && sg_is_stolen(deque, tail, NULL))
            return;
    }
}

static void matmul_slow(sg_deque *deque, sg_frame **tail, sg_frame *frame) {
    struct matmul_frame *f = (struct matmul_frame *)frame;
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
        if (CLONE_SLOW_CALL(&full_sites[4], product(deque, tail, f, 3)))
            return;
        // Fall through.
    case 4:
        if (sg_sync(deque, &f->head, &full_sites[9]))
            return;
        // Fall through.
    case 9:
        if (CLONE_SLOW_SPAWN(&full_sites[5], product(deque, tail + 1, f, 4)))
            return;
        // Fall through.
    case 5:
        if (CLONE_SLOW_SPAWN(&full_sites[6], product(deque, tail + 1, f, 5)))
            return;
        // Fall through.
    case 6:
        if (CLONE_SLOW_SPAWN(&full_sites[7], product(deque, tail + 1, f, 6)))
            return;
        // Fall through.
    case 7:
        if (CLONE_SLOW_CALL(&full_sites[8], product(deque, tail, f, 7)))
            return;
        // Fall through.
    case 8:
        if (sg_sync(deque, &f->head, &full_sites[10]))
            return;
        // Fall through.
    default:
        sg_return(deque, &f->head, NULL);
    }
}

struct matmul_call {
    double *c;
    const double *a;
    const double *b;
    long side;
};

static void call_matmul(void *argument) {
    struct matmul_call *call = argument;
    bench_matmul_c(call->c, call->a, call->b, call->side);
}

void bench_matmul_c(double *c, const double *a, const double *b, long side) {
    sg_frame **tail;
    sg_deque *deque = sg_enter(&tail);
    if (deque == NULL) {
        struct matmul_call call = {c, a, b, side};
        sg_run(call_matmul, &call);
        return;
    }
    matmul_fast(deque, tail, c, a, b, side);
    if (SG_UNFINISHED(deque))
        sg_await(deque, NULL);
}
