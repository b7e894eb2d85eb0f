// SPDX-License-Identifier: MIT
//
// fib as a translator would write it:
//
//     long fib(long n) {
//         if (n < 2) return n;
//         long x = spawn fib(n - 1);
//         long y = fib(n - 2);
//         sync;
//         return x + y;
//     }
//
// Whoever includes this defines the function's name: `fib_by_clones`.
#pragma once

#include <saguaro/cilk_abi.h>
#include <saguaro/saguaro.h>

struct fib_frame {
    sg_frame head;
    long n;
    long x;
    long y;
};

// What the fast clone keeps of it: what is live across its spawn.
struct fib_saved {
    sg_frame head;
    long n;
};

static void fib_slow(sg_deque *deque, sg_frame **tail, sg_frame *frame);

#define FIB_SITE(frames, where, saved, to)                                                         \
    {.kind = &frames,                                                                              \
     .code = fib_slow,                                                                             \
     .entry = where,                                                                               \
     .saved_size = sizeof(saved),                                                                  \
     .frame_size = sizeof(struct fib_frame),                                                       \
     .result_offset = offsetof(struct fib_frame, to),                                              \
     .result_size = sizeof(long),                                                                  \
     .return_size = sizeof(long)}

static const sg_site fast_spawn = FIB_SITE(sg_spawned_frames, 1, struct fib_saved, x);
static const sg_site fast_call = FIB_SITE(sg_spawned_frames, 2, struct fib_frame, y);
static const sg_site slow_call = FIB_SITE(sg_full_frames, 2, struct fib_frame, y);
static const sg_site slow_sync = FIB_SITE(sg_full_frames, 3, struct fib_frame, y);

static inline long fib_body(sg_deque *deque, sg_frame **tail, long n);

SG_COLD static int fib_stolen(sg_deque *deque, sg_frame **tail, long x) {
    return sg_is_stolen(deque, tail, &x);
}

SG_COLD static long fib_suspend(sg_deque *deque, long x) {
    struct fib_frame f = {{&fast_call}, 0, x, 0};
    long y;
    return sg_suspend(deque, &f.head, &y) ? 0 : x + y;
}

// What comes before the first spawn is apart from the rest, so that it can be inlined in the
// caller: half of all calls end here.
static inline long fib_fast(sg_deque *deque, sg_frame **tail, long n) {
    if (n < 2)
        return n;
    return fib_body(deque, tail, n);
}

// `inline` although it is recursive: gcc then inlines some levels into each other, as it does with
// the serial function. Without it the ratio to that function is 2.0.
static inline long fib_body(sg_deque *deque, sg_frame **tail, long n) {
    struct fib_saved f;
    f.n = n;
    f.head.site = &fast_spawn;
    sg_push(tail, &f.head);
    long x = fib_fast(deque, tail + 1, n - 1);
    if (sg_pop(deque, tail) && fib_stolen(deque, tail, x))
        return 0;
    long y = fib_fast(deque, tail, n - 2);
    if (SG_UNFINISHED(deque))
        return fib_suspend(deque, x);
    return x + y;
}

static void fib_slow(sg_deque *deque, sg_frame **tail, sg_frame *frame) {
    struct fib_frame *f = (struct fib_frame *)frame;
    long result;
    switch (f->head.site->entry) {
    case 1:
        f->y = fib_fast(deque, tail, f->n - 2);
        if (SG_UNFINISHED(deque)) {
            f->head.site = &slow_call;
            if (sg_suspend(deque, &f->head, &f->y))
                return;
        }
        // Fall through.
    case 2:
        if (sg_sync(deque, &f->head, &slow_sync))
            return;
        // Fall through.
    default:
        result = f->x + f->y;
        sg_return(deque, &f->head, &result);
    }
}

struct fib_call {
    long n;
    long result;
};

static void call_fib(void *argument) {
    struct fib_call *call = argument;
    call->result = fib_by_clones(call->n);
}

long fib_by_clones(long n) {
    sg_frame **tail;
    sg_deque *deque = sg_enter(&tail);
    if (deque == NULL) {
        struct fib_call call = {n, 0};
        sg_run(call_fib, &call);
        return call.result;
    }
    long result = fib_fast(deque, tail, n);
    if (SG_UNFINISHED(deque))
        sg_await(deque, &result);
    return result;
}
