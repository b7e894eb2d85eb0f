// SPDX-License-Identifier: MIT
// Hand-written clones of C functions that call a test's hook at each point.
#include "clones.h"

#include <saguaro/cilk_abi.h>
#include <saguaro/saguaro.h>

#include <stdlib.h>
#include <string.h>

void (*test_hook)(enum test_point point, int tag);

static void at(enum test_point point, int tag) {
    if (test_hook != NULL)
        test_hook(point, tag);
}

// ---- pair ----

static long child_fast(int value, int tag) {
    at(point_in_child, tag);
    return value;
}

struct pair_frame {
    sg_frame head;
    int tag;
    long x;
    long y;
};

static void pair_slow(sg_deque *deque, sg_frame **tail, sg_frame *frame);

static const sg_site pair_spawn = {.kind = &sg_spawned_frames,
                                   .code = pair_slow,
                                   .entry = 1,
                                   .saved_size = sizeof(struct pair_frame),
                                   .frame_size = sizeof(struct pair_frame),
                                   .result_offset = offsetof(struct pair_frame, x),
                                   .result_size = sizeof(long),
                                   .return_size = sizeof(long)};
static const sg_site pair_sync = {.kind = &sg_full_frames,
                                  .code = pair_slow,
                                  .entry = 2,
                                  .saved_size = sizeof(struct pair_frame),
                                  .frame_size = sizeof(struct pair_frame),
                                  .return_size = sizeof(long)};

static long pair_fast(sg_deque *deque, sg_frame **tail, int tag) {
    struct pair_frame f = {.tag = tag};
    f.head.site = &pair_spawn;
    sg_push(tail, &f.head);
    long x = child_fast(1, tag);
    if (sg_pop(deque, tail) && sg_is_stolen(deque, tail, &x))
        return -1;
    return 10 * x + 2;
}

static void pair_slow(sg_deque *deque, sg_frame **tail, sg_frame *frame) {
    struct pair_frame *f = (struct pair_frame *)frame;
    int tag = f->tag;
    (void)tail;
    if (f->head.site->entry == 1) {
        at(point_behind_spawn, tag);
        f->y = 2;
        if (sg_sync(deque, frame, &pair_sync))
            return;
    }
    long result = 10 * f->x + f->y;
    sg_return(deque, frame, &result);
    at(point_ended, tag);
}

// What all ordinary entries here do for a function without arguments but a tag.
struct tag_call {
    long (*entry)(int);
    int tag;
    long result;
};

static void call_with_tag(void *argument) {
    struct tag_call *call = argument;
    call->result = call->entry(call->tag);
}

static long enter(long (*entry)(int), long (*fast)(sg_deque *, sg_frame **, int), int tag) {
    sg_frame **tail;
    sg_deque *deque = sg_enter(&tail);
    if (deque == NULL) {
        struct tag_call call = {entry, tag, 0};
        sg_run(call_with_tag, &call);
        return call.result;
    }
    long result = fast(deque, tail, tag);
    if (SG_UNFINISHED(deque)) {
        at(point_before_await, tag);
        sg_await(deque, &result);
    }
    return result;
}

long test_pair(int tag) {
    return enter(test_pair, pair_fast, tag);
}

// ---- a spawn of pair ----

static void nested_slow(sg_deque *deque, sg_frame **tail, sg_frame *frame);

static const sg_site nested_spawn = {.kind = &sg_spawned_frames,
                                     .code = nested_slow,
                                     .entry = 1,
                                     .saved_size = sizeof(struct pair_frame),
                                     .frame_size = sizeof(struct pair_frame),
                                     .result_offset = offsetof(struct pair_frame, x),
                                     .result_size = sizeof(long),
                                     .return_size = sizeof(long)};
static const sg_site nested_sync = {.kind = &sg_full_frames,
                                    .code = nested_slow,
                                    .entry = 2,
                                    .saved_size = sizeof(struct pair_frame),
                                    .frame_size = sizeof(struct pair_frame),
                                    .return_size = sizeof(long)};

static long nested_fast(sg_deque *deque, sg_frame **tail, int tag) {
    struct pair_frame f = {.tag = tag};
    f.head.site = &nested_spawn;
    sg_push(tail, &f.head);
    long x = pair_fast(deque, tail + 1, tag);
    if (SG_UNFINISHED(deque))
        at(point_before_handover, tag + 1);
    if (sg_pop(deque, tail) && sg_is_stolen(deque, tail, &x))
        return -1;
    return 100 * x + 5;
}

static void nested_slow(sg_deque *deque, sg_frame **tail, sg_frame *frame) {
    struct pair_frame *f = (struct pair_frame *)frame;
    int tag = f->tag;
    (void)tail;
    if (f->head.site->entry == 1) {
        at(point_behind_spawn, tag + 1);
        f->y = 5;
        if (sg_sync(deque, frame, &nested_sync))
            return;
    }
    long result = 100 * f->x + f->y;
    sg_return(deque, frame, &result);
    at(point_ended, tag + 1);
}

long test_nested_spawn(int tag) {
    return enter(test_nested_spawn, nested_fast, tag);
}

// ---- three deep: level 2 calls level 1, which calls level 0, which calls pair ----

struct deep_frame {
    sg_frame head;
    int tag;
    long added;
    long callee;
};

static void deep_slow(sg_deque *deque, sg_frame **tail, sg_frame *frame);

static const sg_site deep_call = {.kind = &sg_spawned_frames,
                                  .code = deep_slow,
                                  .entry = 1,
                                  .saved_size = sizeof(struct deep_frame),
                                  .frame_size = sizeof(struct deep_frame),
                                  .result_offset = offsetof(struct deep_frame, callee),
                                  .result_size = sizeof(long),
                                  .return_size = sizeof(long)};

static long deep_fast(sg_deque *deque, sg_frame **tail, int tag, int level) {
    static const long amounts[3] = {100, 1000, 10000};
    long callee = level == 0 ? pair_fast(deque, tail, tag) : deep_fast(deque, tail, tag, level - 1);
    if (SG_UNFINISHED(deque)) {
        struct deep_frame f = {{&deep_call}, tag, amounts[level], 0};
        at(point_before_suspend, tag + level);
        if (sg_suspend(deque, &f.head, &callee))
            return -1;
    }
    return callee + amounts[level];
}

static void deep_slow(sg_deque *deque, sg_frame **tail, sg_frame *frame) {
    struct deep_frame *f = (struct deep_frame *)frame;
    (void)tail;
    long result = f->callee + f->added;
    sg_return(deque, frame, &result);
}

static long three_deep_fast(sg_deque *deque, sg_frame **tail, int tag) {
    return deep_fast(deque, tail, tag, 2);
}

long test_three_deep(int tag) {
    return enter(test_three_deep, three_deep_fast, tag);
}

// ---- a result that is wider than the frame's other variables ----

struct wide_frame {
    sg_frame head;
    int tag;
    struct test_wide x;
};

static void wide_slow(sg_deque *deque, sg_frame **tail, sg_frame *frame);

static const sg_site wide_spawn = {.kind = &sg_spawned_frames,
                                   .code = wide_slow,
                                   .entry = 1,
                                   .saved_size = sizeof(struct wide_frame),
                                   .frame_size = sizeof(struct wide_frame),
                                   .result_offset = offsetof(struct wide_frame, x),
                                   .result_size = sizeof(struct test_wide),
                                   .return_size = sizeof(struct test_wide)};
static const sg_site wide_sync = {.kind = &sg_full_frames,
                                  .code = wide_slow,
                                  .entry = 2,
                                  .saved_size = sizeof(struct wide_frame),
                                  .frame_size = sizeof(struct wide_frame),
                                  .return_size = sizeof(struct test_wide)};

static struct test_wide wide_child(int tag) {
    struct test_wide w;
    for (int i = 0; i < 8; i++)
        w.value[i] = 8 - i;
    at(point_in_child, tag);
    return w;
}

static struct test_wide add_hundred(struct test_wide w) {
    for (int i = 0; i < 8; i++)
        w.value[i] += 100;
    return w;
}

static struct test_wide wide_fast(sg_deque *deque, sg_frame **tail, int tag) {
    struct wide_frame f = {.tag = tag};
    f.head.site = &wide_spawn;
    sg_push(tail, &f.head);
    struct test_wide x = wide_child(tag);
    if (sg_pop(deque, tail) && sg_is_stolen(deque, tail, &x))
        return x;
    return add_hundred(x);
}

static void wide_slow(sg_deque *deque, sg_frame **tail, sg_frame *frame) {
    struct wide_frame *f = (struct wide_frame *)frame;
    (void)tail;
    if (f->head.site->entry == 1 && sg_sync(deque, frame, &wide_sync))
        return;
    struct test_wide result = add_hundred(f->x);
    sg_return(deque, frame, &result);
}

struct test_wide test_wide_pair(int tag) {
    sg_frame **tail;
    sg_deque *deque = sg_enter(&tail);
    if (deque == NULL)
        abort(); // the tests call it on workers only
    struct test_wide result = wide_fast(deque, tail, tag);
    if (SG_UNFINISHED(deque))
        sg_await(deque, &result);
    return result;
}

// ---- matmul: the children get addresses of the parent's variables ----

struct product {
    const long *a;
    const long *b;
    long *c; // n by n, contiguous
    int n;
    int a_stride;
    int b_stride;
};

// The variables whose addresses the children get: one temporary for each of the eight products.
struct matmul_block {
    struct product part[8];
    long *temporary[8];
};

struct matmul_frame {
    sg_frame head;
    const struct product *p;
    struct matmul_block *block;
    int i;
};

static void matmul_slow(sg_deque *deque, sg_frame **tail, sg_frame *frame);

#define MATMUL_SITE(frames, where)                                                                 \
    {.kind = &frames,                                                                              \
     .code = matmul_slow,                                                                          \
     .entry = where,                                                                               \
     .saved_size = sizeof(struct matmul_frame),                                                    \
     .frame_size = sizeof(struct matmul_frame)}

static const sg_site matmul_spawn = MATMUL_SITE(sg_spawned_frames, 1);
static const sg_site matmul_slow_spawn = MATMUL_SITE(sg_full_frames, 1);
static const sg_site matmul_slow_sync = MATMUL_SITE(sg_full_frames, 2);

static struct matmul_block *cut_product(const struct product *p) {
    struct matmul_block *block = sg_block_new(sizeof *block);
    int half = p->n / 2;
    for (int i = 0; i < 8; i++) {
        int row = i >> 2 & 1, column = i >> 1 & 1, k = i & 1;
        block->temporary[i] = sg_block_new((size_t)half * (size_t)half * sizeof(long));
        block->part[i] = (struct product){p->a + (row * p->a_stride + k) * half,
                                          p->b + (k * p->b_stride + column) * half,
                                          block->temporary[i],
                                          half,
                                          p->a_stride,
                                          p->b_stride};
    }
    return block;
}

static void sum_product(const struct product *p, struct matmul_block *block) {
    int half = p->n / 2;
    for (int quadrant = 0; quadrant < 4; quadrant++) {
        long *to = p->c + (quadrant >> 1) * half * p->n + (quadrant & 1) * half;
        const long *x = block->temporary[2 * quadrant], *y = block->temporary[2 * quadrant + 1];
        for (int row = 0; row < half; row++)
            for (int column = 0; column < half; column++)
                to[row * p->n + column] = x[row * half + column] + y[row * half + column];
    }
    for (int i = 0; i < 8; i++)
        sg_block_free(block->temporary[i]);
    sg_block_free(block);
}

static void matmul_fast(sg_deque *deque, sg_frame **tail, const struct product *p) {
    if (p->n == 1) {
        *p->c = *p->a * *p->b;
        return;
    }
    struct matmul_frame f = {{&matmul_spawn}, p, cut_product(p), 0};
    for (; f.i < 8; f.i++) {
        sg_push(tail, &f.head);
        matmul_fast(deque, tail + 1, &f.block->part[f.i]);
        if (sg_pop(deque, tail) && sg_is_stolen(deque, tail, NULL))
            return;
    }
    sum_product(p, f.block);
}

static void matmul_slow(sg_deque *deque, sg_frame **tail, sg_frame *frame) {
    struct matmul_frame *f = (struct matmul_frame *)frame;
    if (f->head.site->entry == 1) {
        for (f->i++; f->i < 8; f->i++) {
            f->head.site = &matmul_slow_spawn;
            // Before the push: a thief goes on with this very frame.
            const struct product *part = &f->block->part[f->i];
            sg_push(tail, frame);
            matmul_fast(deque, tail + 1, part);
            if (sg_pop(deque, tail) && sg_is_stolen(deque, tail, NULL))
                return;
        }
        if (sg_sync(deque, frame, &matmul_slow_sync))
            return;
    }
    sum_product(f->p, f->block);
    sg_return(deque, frame, NULL);
}

void test_matmul(const long *a, const long *b, long *c, int n) {
    sg_frame **tail;
    sg_deque *deque = sg_enter(&tail);
    if (deque == NULL)
        abort(); // the tests call it on workers only
    struct product whole = {a, b, c, n, n, n};
    matmul_fast(deque, tail, &whole);
    if (SG_UNFINISHED(deque))
        sg_await(deque, NULL);
}

// ---- qsort ----

static int qsort_tag;

static int compare(const void *left, const void *right) {
    int a = *(const int *)left, b = *(const int *)right;
    // Always 12: the comparison is right only if the spawning function's result arrives.
    long twelve = test_pair(qsort_tag);
    return twelve == 12 ? (a > b) - (a < b) : 0;
}

void test_qsort(int *array, int n, int tag) {
    qsort_tag = tag;
    qsort(array, (size_t)n, sizeof *array, compare);
}
