// SPDX-License-Identifier: MIT
//
// cilksort as a translator would write it: two functions that spawn and sync more than once,
// with a call in tail position.
//
// Whoever includes this defines the function's name, `cilksort_by_clones`; SORT_CUTOFF and
// MERGE_CUTOFF, the elements below which a sort and a merge are serial; sort_serially(array, n);
// merge_serially(a, a_size, b, b_size, out); and lower_bound(run, n, value): how many elements of
// the sorted run are less.
#pragma once

#include "clones/slow.h"

#include <saguaro/cilk_abi.h>
#include <saguaro/saguaro.h>

// ---- merge: one spawn, one call in tail position ----

struct merge_frame {
    sg_frame head;
    const int *a; // the part that the continuation merges
    const int *b;
    long a_size;
    long b_size;
    int *out;
};

static void merge_slow(sg_deque *deque, sg_frame **tail, sg_frame *frame);

#define MERGE_SITE(frames, where)                                                                  \
    {.kind = &frames,                                                                              \
     .code = merge_slow,                                                                           \
     .entry = where,                                                                               \
     .saved_size = sizeof(struct merge_frame),                                                     \
     .frame_size = sizeof(struct merge_frame)}

static const sg_site merge_spawn = MERGE_SITE(sg_spawned_frames, 1);
static const sg_site merge_call = MERGE_SITE(sg_spawned_frames, 2);
static const sg_site merge_slow_call = MERGE_SITE(sg_full_frames, 2);
static const sg_site merge_slow_sync = MERGE_SITE(sg_full_frames, 3);

static void merge_fast(sg_deque *deque, sg_frame **tail, const int *a, long a_size, const int *b,
                       long b_size, int *out) {
    if (a_size + b_size < MERGE_CUTOFF) {
        merge_serially(a, a_size, b, b_size, out);
        return;
    }
    if (a_size < b_size) {
        // A call in tail position: an unfinished callee is the caller's caller's business.
        merge_fast(deque, tail, b, b_size, a, a_size, out);
        return;
    }
    long middle = a_size / 2;
    long cut = lower_bound(b, b_size, a[middle]);
    out[middle + cut] = a[middle];
    struct merge_frame f = {{&merge_spawn},      a + middle + 1, b + cut,
                            a_size - middle - 1, b_size - cut,   out + middle + cut + 1};
    sg_push(tail, &f.head);
    merge_fast(deque, tail + 1, a, middle, b, cut, out);
    if (sg_pop(deque, tail) && sg_is_stolen(deque, tail, NULL))
        return;
    merge_fast(deque, tail, f.a, f.a_size, f.b, f.b_size, f.out);
    if (SG_UNFINISHED(deque)) {
        f.head.site = &merge_call;
        sg_suspend(deque, &f.head, NULL);
    }
}

static void merge_slow(sg_deque *deque, sg_frame **tail, sg_frame *frame) {
    struct merge_frame *f = (struct merge_frame *)frame;
    switch (f->head.site->entry) {
    case 1:
        merge_fast(deque, tail, f->a, f->a_size, f->b, f->b_size, f->out);
        if (SG_UNFINISHED(deque)) {
            f->head.site = &merge_slow_call;
            if (sg_suspend(deque, &f->head, NULL))
                return;
        }
        // Fall through.
    case 2:
        if (sg_sync(deque, &f->head, &merge_slow_sync))
            return;
        // Fall through.
    default:
        sg_return(deque, &f->head, NULL);
    }
}

// ---- sort: three spawns and a call, a sync; a spawn and a call, a sync; a call ----

struct sort_frame {
    sg_frame head;
    int *array;
    int *scratch;
    long n;
};

static void sort_slow(sg_deque *deque, sg_frame **tail, sg_frame *frame);

#define SORT_SITE(frames, where)                                                                   \
    {.kind = &frames,                                                                              \
     .code = sort_slow,                                                                            \
     .entry = where,                                                                               \
     .saved_size = sizeof(struct sort_frame),                                                      \
     .frame_size = sizeof(struct sort_frame)}

// Entry k goes on behind the k-th spawn, call or sync.
static const sg_site sort_fast[9] = {
    SORT_SITE(sg_spawned_frames, 0), SORT_SITE(sg_spawned_frames, 1),
    SORT_SITE(sg_spawned_frames, 2), SORT_SITE(sg_spawned_frames, 3),
    SORT_SITE(sg_spawned_frames, 4), SORT_SITE(sg_spawned_frames, 5),
    SORT_SITE(sg_spawned_frames, 6), SORT_SITE(sg_spawned_frames, 7),
    SORT_SITE(sg_spawned_frames, 8)};
static const sg_site sort_full[11] = {
    SORT_SITE(sg_full_frames, 0), SORT_SITE(sg_full_frames, 1), SORT_SITE(sg_full_frames, 2),
    SORT_SITE(sg_full_frames, 3), SORT_SITE(sg_full_frames, 4), SORT_SITE(sg_full_frames, 5),
    SORT_SITE(sg_full_frames, 6), SORT_SITE(sg_full_frames, 7), SORT_SITE(sg_full_frames, 8),
    SORT_SITE(sg_full_frames, 9), SORT_SITE(sg_full_frames, 10)};

static void sort_fast_clone(sg_deque *deque, sg_frame **tail, int *array, int *scratch, long n);

// The i-th quarter.
static inline void sort_quarter(sg_deque *deque, sg_frame **tail, const struct sort_frame *f,
                                int i) {
    long quarter = f->n / 4;
    sort_fast_clone(deque, tail, f->array + i * quarter, f->scratch + i * quarter,
                    i < 3 ? quarter : f->n - 3 * quarter);
}

// The i-th merge: the quarters in pairs, then the pairs.
static inline void merge_step(sg_deque *deque, sg_frame **tail, const struct sort_frame *f, int i) {
    long quarter = f->n / 4;
    long half = 2 * quarter;
    long rest = f->n - 3 * quarter;
    if (i == 0) {
        merge_fast(deque, tail, f->array, quarter, f->array + quarter, quarter, f->scratch);
    } else if (i == 1) {
        merge_fast(deque, tail, f->array + half, quarter, f->array + half + quarter, rest,
                   f->scratch + half);
    } else {
        merge_fast(deque, tail, f->scratch, half, f->scratch + half, f->n - half, f->array);
    }
}

static void sort_fast_clone(sg_deque *deque, sg_frame **tail, int *array, int *scratch, long n) {
    if (n < SORT_CUTOFF) {
        sort_serially(array, n);
        return;
    }
    struct sort_frame f = {{NULL}, array, scratch, n};
    for (int i = 0; i < 3; i++) {
        f.head.site = &sort_fast[1 + i];
        sg_push(tail, &f.head);
        sort_quarter(deque, tail + 1, &f, i);
        if (sg_pop(deque, tail) && sg_is_stolen(deque, tail, NULL))
            return;
    }
    sort_quarter(deque, tail, &f, 3);
    if (SG_UNFINISHED(deque)) {
        f.head.site = &sort_fast[4];
        if (sg_suspend(deque, &f.head, NULL))
            return;
    }
    f.head.site = &sort_fast[6];
    sg_push(tail, &f.head);
    merge_step(deque, tail + 1, &f, 0);
    if (sg_pop(deque, tail) && sg_is_stolen(deque, tail, NULL))
        return;
    merge_step(deque, tail, &f, 1);
    if (SG_UNFINISHED(deque)) {
        f.head.site = &sort_fast[7];
        if (sg_suspend(deque, &f.head, NULL))
            return;
    }
    merge_step(deque, tail, &f, 2);
    if (SG_UNFINISHED(deque)) {
        f.head.site = &sort_fast[8];
        sg_suspend(deque, &f.head, NULL);
    }
}

static void sort_slow(sg_deque *deque, sg_frame **tail, sg_frame *frame) {
    struct sort_frame *f = (struct sort_frame *)frame;
    switch (f->head.site->entry) {
    case 1:
        if (CLONE_SLOW_SPAWN(&sort_full[2], sort_quarter(deque, tail + 1, f, 1)))
            return;
        // Fall through.
    case 2:
        if (CLONE_SLOW_SPAWN(&sort_full[3], sort_quarter(deque, tail + 1, f, 2)))
            return;
        // Fall through.
    case 3:
        if (CLONE_SLOW_CALL(&sort_full[4], sort_quarter(deque, tail, f, 3)))
            return;
        // Fall through.
    case 4:
        if (sg_sync(deque, &f->head, &sort_full[5]))
            return;
        // Fall through.
    case 5:
        if (CLONE_SLOW_SPAWN(&sort_full[6], merge_step(deque, tail + 1, f, 0)))
            return;
        // Fall through.
    case 6:
        if (CLONE_SLOW_CALL(&sort_full[7], merge_step(deque, tail, f, 1)))
            return;
        // Fall through.
    case 7:
        if (sg_sync(deque, &f->head, &sort_full[9]))
            return;
        // Fall through.
    case 9:
        if (CLONE_SLOW_CALL(&sort_full[8], merge_step(deque, tail, f, 2)))
            return;
        // Fall through.
    case 8:
        if (sg_sync(deque, &f->head, &sort_full[10]))
            return;
        // Fall through.
    default:
        sg_return(deque, &f->head, NULL);
    }
}

// ---- The ordinary entry ----

struct sort_call {
    int *array;
    int *scratch;
    long n;
};

static void call_sort(void *argument) {
    struct sort_call *call = argument;
    cilksort_by_clones(call->array, call->scratch, call->n);
}

void cilksort_by_clones(int *array, int *scratch, long n) {
    sg_frame **tail;
    sg_deque *deque = sg_enter(&tail);
    if (deque == NULL) {
        struct sort_call call = {array, scratch, n};
        sg_run(call_sort, &call);
        return;
    }
    sort_fast_clone(deque, tail, array, scratch, n);
    if (SG_UNFINISHED(deque))
        sg_await(deque, NULL);
}
