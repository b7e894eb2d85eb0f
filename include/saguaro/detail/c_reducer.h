/* SPDX-License-Identifier: MIT */
/*
 * Reducers whose value is a variable of the program, for the C reducers of Cilk Plus and the type
 * qualifier cilk_reducer of OpenCilk.
 *
 * The value lies behind an sg_hyper, in the same object: struct { sg_hyper base; T value; }. The
 * strand that is first in the serial order works on `value` itself. The others get views of their
 * own, which the runtime merges into it. So when everything that uses the reducer is synced,
 * `value` is what the serial program would have there. A lookup in a reducer of <saguaro/reducer.h>
 * takes one load less.
 */
#pragma once

#include "saguaro/detail/cast.h"
#include "saguaro/reducer.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The head of such an object. A static one is zero except for size, alignment and the functions. An
 * object that is not registered is an ordinary variable of the one strand that uses it: where
 * strands that run at the same time use it, the program ends with a line. A registered one must not
 * move. */
typedef struct sg_hyper {
    sg_reducer reducer; /* the runtime's, and so is the monoid */
    sg_monoid monoid;
    size_t size;      /* of the value in bytes */
    size_t alignment; /* of the value's type in bytes, a power of two */
    /* Cilk Plus: makes the identity; left = left * right, destroying nothing; ends a view other
     * than `value`. Null: the ones below. They run on any worker and must not spawn. */
    void (*identity)(void *hyper, void *view);
    void (*reduce)(void *hyper, void *left, void *right);
    void (*destroy)(void *hyper, void *view);
    /* OpenCilk: the same. */
    void (*plain_identity)(void *view);
    void (*plain_reduce)(void *left, void *right);
} sg_hyper;

/* Makes the variable a reducer whose first view is the value as it stands. Anywhere a strand of the
 * program runs; constructors of static storage too. Ends the program with a line if there is no
 * memory. Some 100 ns. */
void sg_hyper_register(sg_hyper *hyper);

/* Makes it a plain variable again. The caller is synced with all that has used it. Nothing if it is
 * one. */
void sg_hyper_unregister(sg_hyper *hyper);

/* The address of the value. */
static inline void *sg_hyper_value(sg_hyper *hyper) {
    return SG_CAST(char *, hyper) +
           ((sizeof *hyper + hyper->alignment - 1) & ~(hyper->alignment - 1));
}

/* The out-of-line part of a lookup: the value, for an object that is not registered. For
 * `sg_hyper_view` alone. */
void *sg_hyper_unregistered(sg_hyper *hyper);

/* The current strand's view; good until the next spawn, sync, or call that contains one. Four loads
 * and two branches. */
static inline void *sg_hyper_view(sg_hyper *hyper) {
    if (__builtin_expect(hyper->reducer.key == 0, 0))
        return sg_hyper_unregistered(hyper);
    return *SG_CAST(void **, sg_reducer_view(&hyper->reducer));
}

#ifdef __cplusplus
}
#endif
