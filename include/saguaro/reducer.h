/* SPDX-License-Identifier: MIT */
/*
 * Reducers for C: one variable that parallel strands update without locks and without races.
 *
 * Each strand works on a view of its own, made when it first asks; views are joined by the
 * monoid's reduce function in the order of the serial program, so that the result is the serial
 * one, on any number of workers, if the operation is associative.
 *
 *     static const sg_monoid sum = {identity, reduce, NULL, sizeof(long), alignof(long), NULL,
 *                                   "sum"};
 *     sg_reducer total;
 *     sg_reducer_create(&total, &sum);
 *     ... in parallel: *(long *)sg_reducer_view(&total) += 1;
 *     ... after the sync: printf("%ld\n", *(long *)sg_reducer_view(&total));
 *     sg_reducer_destroy(&total);
 */
#pragma once

#include "saguaro/detail/integers.h"
#include "saguaro/detail/region.h"

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The strictest alignment that a view can ask for, in bytes. */
#define SG_VIEW_ALIGNMENT 4096

/* What a reducer does with its views; it must outlive the reducer. The functions run on whichever
 * worker needs them and must not spawn; `reduce` and `destroy` must not touch reducers, and an
 * exception that leaves them ends the program. */
typedef struct sg_monoid {
    /* Makes the value e with e*x = x*e = x in the raw memory `view`. */
    void (*identity)(void *view, void *context);
    /* left = left*right. The runtime destroys `right` afterwards. */
    void (*reduce)(void *left, void *right, void *context);
    /* Ends the life of a view, whose memory the runtime frees. Null: there is nothing to do. */
    void (*destroy)(void *view, void *context);
    size_t size;      /* of a view in bytes, at least 1 */
    size_t alignment; /* of a view in bytes: a power of two, at most SG_VIEW_ALIGNMENT */
    /* Handed to the functions. Null: they get the address of the sg_reducer instead, so that a
     * structure which begins with a reducer can hold what its functions need. */
    void *context;
    /* What messages call it: "the sum of weights". May be null. */
    const char *name;
} sg_monoid;

/* A reducer, between create and destroy. It stays where it was created: neither copy nor move it.
 * The fields are the runtime's. */
typedef struct sg_reducer {
    sg_uintptr key; /* where its element is in `sg_outside`; it comes first: each lookup reads it */
    const sg_monoid *monoid;
} sg_reducer;

/* Makes a reducer whose value is the monoid's identity. Anywhere: outside, in a worker's strand, on
 * the heap, as a member. On a worker the value belongs to the strand that creates it, like any
 * variable of the strand. Returns 0, ENOMEM (no memory, or 4,063,232 reducers live already, less
 * what other workers keep in stock, at most 64 each), or EINVAL (`monoid` breaks its rules; the
 * reducer is untouched). Tens of nanoseconds. */
int sg_reducer_create(sg_reducer *reducer, const sg_monoid *monoid);

/* The same with a first value that `make(view, argument)` makes in raw memory. */
int sg_reducer_create_with(sg_reducer *reducer, const sg_monoid *monoid,
                           void (*make)(void *view, void *argument), void *argument);

/* Ends a reducer and its value. The caller is serially after all that used it, and synced with
 * it: a view that still waits to be joined ends the program with a message when its turn comes. In
 * `exit`, a reducer that a run may still use (one with static storage, or one that it holds) stays
 * as it is. */
void sg_reducer_destroy(sg_reducer *reducer);

/* The out-of-line part of a lookup: makes this strand's view. For `sg_reducer_view` alone. */
void *sg_view_slow(const sg_reducer *reducer);

/* The current strand's view: its own share of the value while parallel work is outstanding, the
 * value of the serial program when there is none. Good until the next spawn, sync or call that
 * contains one; ask again afterwards. Anywhere between create and destroy; outside, a run that uses
 * the reducer must not be under way, and threads of the program's own that update it at once race,
 * as on any variable. A virtual processor or a nano-thread may look up what it has created itself;
 * another reducer ends the program with a line. Two loads and a branch; the first lookup after a
 * steal makes the view. When there is no memory for it, std::bad_alloc is thrown, and what the
 * identity of a C++ monoid throws; a program of C alone ends there. */
static inline void *sg_reducer_view(const sg_reducer *reducer) {
    void *view = sg_region_load(reducer->key);
    if (__builtin_expect(view == NULL, 0))
        view = sg_view_slow(reducer);
    return view;
}

#ifdef __cplusplus
}
#endif
