/* SPDX-License-Identifier: MIT */
/*
 * Reducers for C: one variable that parallel strands update without locks and without races.
 *
 * Each strand works on a view of its own, which the runtime makes when the strand first asks for
 * it. The monoid's reduce function joins views in the order of the serial program. So the result is
 * the serial one on any number of workers, if the operation is associative.
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
#include "saguaro/detail/race_mark.h"
#include "saguaro/detail/race_names.h"
#include "saguaro/detail/region.h"

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The strictest alignment that a view can ask for, in bytes. */
#define SG_VIEW_ALIGNMENT 4096

/* A monoid: what a reducer does with its views. It must outlive the reducer. Whichever worker needs
 * a function calls it. The functions may spawn; what `reduce` and `destroy` spawn for views of
 * workers is not stolen. `reduce` and `destroy` must not use reducers, and an exception that leaves
 * one of them ends the program. */
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
    sg_uintptr key; /* where its element is in the region; it comes first: each lookup reads it */
    const sg_monoid *monoid;
} sg_reducer;

/* Makes a reducer whose value is the monoid's identity. It may lie anywhere: outside of any run, in
 * a worker's strand, on the heap, in a structure. On a worker the value belongs to the strand that
 * creates it, like any variable of the strand. Returns 0, or EINVAL if `monoid` breaks its rules
 * (the reducer is then untouched), or ENOMEM if there is no memory, or if 4,063,232 reducers exist
 * already (fewer by what other workers keep in their caches, at most 64 each). Takes tens of
 * nanoseconds. */
int sg_reducer_create(sg_reducer *reducer, const sg_monoid *monoid)
    SG_BY_DETECTOR("reducer_create");

/* The same with a first value that `make(view, argument)` makes in raw memory. */
int sg_reducer_create_with(sg_reducer *reducer, const sg_monoid *monoid,
                           void (*make)(void *view, void *argument), void *argument)
    SG_BY_DETECTOR("reducer_create_with");

/* Ends a reducer and its value. The caller comes after all that has used the reducer, in the serial
 * order, and is synced with it. If a view still waits to be joined, the program ends with a message
 * when its turn comes. In `exit` a reducer stays as it is if a run may still use it: one with
 * static storage, or one that a run holds. */
void sg_reducer_destroy(sg_reducer *reducer) SG_BY_DETECTOR("reducer_destroy");

/* The out-of-line part of a lookup: makes this strand's view. For `sg_reducer_view` alone. */
void *sg_view_slow(const sg_reducer *reducer);

/* The view of the current strand. While parallel work is outstanding, it is the strand's own share
 * of the value; otherwise it is the value of the serial program. The pointer is good until the next
 * spawn, sync or call that contains one; ask again afterwards.
 *
 * It may be called anywhere between create and destroy. Outside of any run, no run that uses the
 * reducer may be under way, and threads of the program that update it at once race, as on any
 * variable. A virtual processor or a nano-thread may look up what it has created itself; with
 * another reducer the program ends with one line.
 *
 * A lookup takes two loads and a branch; the first one after a steal makes the view. If there is no
 * memory for the view, the lookup throws std::bad_alloc; it also throws what the identity of a C++
 * monoid throws. A program of C alone ends there. */
#if SG_RACE
void *sg_reducer_view(const sg_reducer *reducer) SG_BY_DETECTOR("reducer_view");
#else
static inline void *sg_reducer_view(const sg_reducer *reducer) {
    void *view = sg_region_load(reducer->key);
    if (__builtin_expect(view == NULL, 0))
        view = sg_view_slow(reducer);
    return view;
}
#endif

#ifdef __cplusplus
}
#endif
