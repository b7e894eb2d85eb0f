/* SPDX-License-Identifier: MIT */
/*
 * Two functions that spawn, as a translator would write them:
 *
 *     void into(const struct tree_node *node, uint64_t *value) {
 *         *value = walk(node);
 *     }
 *
 *     uint64_t walk(const struct tree_node *node) {
 *         uint64_t values[node->edge_count];             // addresses are taken: a block
 *         uint64_t spawned = 0;
 *         for (int i = 0; i < node->edge_count; i++) {
 *             switch (node->edges[i].how) {
 *             case tree_call:         values[i] = walk(child);        break;
 *             case tree_spawn_into:   spawn into(child, &values[i]);  break;
 *             case tree_spawn_result: spawned = spawn walk(child);    break;
 *             }
 *             if (node->edges[i].sync_after)
 *                 sync;
 *         }
 *         sync;
 *         ...
 *     }
 *
 * where a child of another construct is run by tree_run, a plain function that is called or spawned
 * in walk's place.
 */
#include "tree.h"

#include <saguaro/cilk_abi.h>
#include <saguaro/saguaro.h>

struct walk_frame {
    sg_frame head;
    const struct tree_node *node;
    uint64_t *values;
    uint64_t called;  /* the value of the child that was called */
    uint64_t spawned; /* the value of the one that is spawned for its result */
    int i;
};

struct into_frame {
    sg_frame head;
    uint64_t *value;
    uint64_t result;
};

static void walk_slow(sg_deque *deque, sg_frame **tail, sg_frame *frame);
static void into_slow(sg_deque *deque, sg_frame **tail, sg_frame *frame);

enum { after_spawn = 1, after_call, after_sync, after_last_sync };

#define WALK_SITE(frames, where, to, bytes)                                                        \
    {.kind = &frames,                                                                              \
     .code = walk_slow,                                                                            \
     .entry = where,                                                                               \
     .saved_size = sizeof(struct walk_frame),                                                      \
     .frame_size = sizeof(struct walk_frame),                                                      \
     .result_offset = offsetof(struct walk_frame, to),                                             \
     .result_size = bytes,                                                                         \
     .return_size = sizeof(uint64_t)}

static const sg_site fast_spawn_into = WALK_SITE(sg_spawned_frames, after_spawn, spawned, 0);
static const sg_site fast_spawn_result =
    WALK_SITE(sg_spawned_frames, after_spawn, spawned, sizeof(uint64_t));
static const sg_site fast_call = WALK_SITE(sg_spawned_frames, after_call, called, sizeof(uint64_t));
static const sg_site slow_spawn_into = WALK_SITE(sg_full_frames, after_spawn, spawned, 0);
static const sg_site slow_spawn_result =
    WALK_SITE(sg_full_frames, after_spawn, spawned, sizeof(uint64_t));
static const sg_site slow_call = WALK_SITE(sg_full_frames, after_call, called, sizeof(uint64_t));
static const sg_site slow_sync = WALK_SITE(sg_full_frames, after_sync, spawned, 0);
static const sg_site slow_last_sync = WALK_SITE(sg_full_frames, after_last_sync, spawned, 0);

static const sg_site into_call = {.kind = &sg_spawned_frames,
                                  .code = into_slow,
                                  .entry = after_call,
                                  .saved_size = sizeof(struct into_frame),
                                  .frame_size = sizeof(struct into_frame),
                                  .result_offset = offsetof(struct into_frame, result),
                                  .result_size = sizeof(uint64_t)};

static uint64_t *values_new(const struct tree_node *node) {
    uint64_t *values = sg_block_new(sizeof(uint64_t) * ((size_t)node->edge_count + 1));
    for (int i = 0; i < node->edge_count; i++)
        values[i] = 0;
    return values;
}

/* The value of the child that was spawned for its result goes to the others. */
static void store_spawned(struct walk_frame *f, int last) {
    for (int i = 0; i <= last; i++)
        if (f->node->edges[i].how == tree_spawn_result)
            f->values[i] = f->spawned;
}

/* What follows a sync in the middle. */
static void synced(struct walk_frame *f) {
    store_spawned(f, f->i);
    tree_check_synced(f->node, f->values, f->i);
}

/* What follows the last sync. */
static uint64_t finish(struct walk_frame *f) {
    store_spawned(f, f->node->edge_count - 1);
    uint64_t value = tree_combine(f->node, f->values);
    sg_block_free(f->values);
    tree_enter(f->node, tree_at_end);
    return value;
}

static uint64_t walk_fast(sg_deque *deque, sg_frame **tail, const struct tree_node *node);

/* The fast clone of a child of any construct; tree_run finds the free slot by itself. */
static uint64_t child_fast(sg_deque *deque, sg_frame **tail, const struct tree_node *child) {
    return child->construct == tree_clones ? walk_fast(deque, tail, child) : tree_run(child);
}

static void into_fast(sg_deque *deque, sg_frame **tail, const struct tree_node *node,
                      uint64_t *value) {
    uint64_t result = child_fast(deque, tail, node);
    if (SG_UNFINISHED(deque)) {
        struct into_frame f = {{&into_call}, value, 0};
        if (sg_suspend(deque, &f.head, &result))
            return;
    }
    *value = result;
}

static void into_slow(sg_deque *deque, sg_frame **tail, sg_frame *frame) {
    (void)tail;
    struct into_frame *f = (struct into_frame *)frame;
    *f->value = f->result;
    sg_return(deque, &f->head, NULL);
}

/* Comes to the child f->i of a frame on the heap (`is_full`) or of the fast clone's. Not 0: the
 * clone must return at once. */
static inline int run_edge(sg_deque *deque, sg_frame **tail, struct walk_frame *f, int is_full) {
    const struct tree_edge *edge = &f->node->edges[f->i];
    /* A frame on the heap is the thief's from the push on: what the child gets is read before. */
    uint64_t *value = &f->values[f->i];
    switch (edge->how) {
    case tree_spawn_into:
        f->head.site = is_full ? &slow_spawn_into : &fast_spawn_into;
        sg_push(tail, &f->head);
        into_fast(deque, tail + 1, edge->child, value);
        return sg_pop(deque, tail) && sg_is_stolen(deque, tail, NULL) && tree_unwinds();
    case tree_spawn_result: {
        f->head.site = is_full ? &slow_spawn_result : &fast_spawn_result;
        sg_push(tail, &f->head);
        uint64_t result = child_fast(deque, tail + 1, edge->child);
        if (sg_pop(deque, tail) && sg_is_stolen(deque, tail, &result))
            return tree_unwinds();
        f->spawned = result;
        return 0;
    }
    default: {
        uint64_t result = child_fast(deque, tail, edge->child);
        if (SG_UNFINISHED(deque)) {
            f->head.site = is_full ? &slow_call : &fast_call;
            if (sg_suspend(deque, &f->head, &result))
                return tree_unwinds();
        }
        *value = result;
        return 0;
    }
    }
}

static uint64_t walk_fast(sg_deque *deque, sg_frame **tail, const struct tree_node *node) {
    struct walk_frame f;
    f.node = node;
    f.values = values_new(node);
    f.spawned = 0;
    f.called = 0;
    tree_enter(node, tree_at_start);
    for (f.i = 0; f.i < node->edge_count; f.i++) {
        tree_enter(node, f.i);
        if (run_edge(deque, tail, &f, 0))
            return 0;
        if (node->edges[f.i].sync_after)
            synced(&f);
    }
    return finish(&f);
}

static void walk_slow(sg_deque *deque, sg_frame **tail, sg_frame *frame) {
    struct walk_frame *f = (struct walk_frame *)frame;
    uint32_t entry = f->head.site->entry;
    if (entry == after_call)
        f->values[f->i] = f->called;
    /* Behind child f->i, before or behind the sync that may follow it. */
    while (entry != after_last_sync) {
        if (f->node->edges[f->i].sync_after) {
            if (entry != after_sync && sg_sync(deque, &f->head, &slow_sync))
                return;
            synced(f);
        }
        if (++f->i == f->node->edge_count) {
            if (sg_sync(deque, &f->head, &slow_last_sync))
                return;
            break;
        }
        tree_enter(f->node, f->i);
        if (run_edge(deque, tail, f, 1))
            return;
        entry = after_spawn;
    }
    uint64_t result = finish(f);
    sg_return(deque, &f->head, &result);
}

struct walk_call {
    const struct tree_node *node;
    uint64_t result;
};

static void call_walk(void *argument) {
    struct walk_call *call = argument;
    call->result = tree_run_clones(call->node);
}

uint64_t tree_run_clones(const struct tree_node *node) {
    sg_frame **tail;
    sg_deque *deque = sg_enter(&tail);
    if (deque == NULL) {
        struct walk_call call = {node, 0};
        sg_run(call_walk, &call);
        return call.result;
    }
    uint64_t result = walk_fast(deque, tail, node);
    if (SG_UNFINISHED(deque))
        sg_await(deque, &result);
    return result;
}
