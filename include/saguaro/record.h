/* SPDX-License-Identifier: MIT */
/*
 * Footprints: what memory a strand reads and writes, for recordings of a run (docs/recording.md).
 *
 * A strand says which bytes it is going to touch, once for each cache line, and what of it is in
 * the cache. Nothing is checked: what a program does not say is not in the recording. Unless the
 * run is recorded, a call costs a load and a branch.
 *
 * Any strand may call these functions. What code outside of the workers touches is not recorded.
 */
#pragma once

#include "saguaro/detail/cast.h"

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Not 0 while a run is recorded. Written while no strand runs, by a strand that ends the process,
 * and in the child of a fork. */
extern unsigned sg_recording;

enum { sg_record_as_touched, sg_record_as_reused };

/* What the functions below do while a run is recorded. */
void sg_record_footprint(int as, const void *p, size_t bytes);

/* Until sg_record_resume, the strand's time does not count: for code that finds out what a strand
 * touches. They nest; nothing is spawned in between. */
void sg_record_pause(void);
void sg_record_resume(void);

/* [p, p + bytes) is an object, for example what malloc gave: nobody has said where its pages lie.
 * Memory of place.h needs no such call, because its tables say where it is; with one, it is one
 * object. Any thread, also before the workers start. An object replaces those that it overlaps. */
void sg_record_object(const void *p, size_t bytes);

/* The object that begins at `p` is no more. Any thread; where it is no strand of the recorded run,
 * the recording has no FREE, but bytes there are no longer the object's. */
void sg_record_free(const void *p);

static inline int sg_is_recording(void) {
    /* Relaxed: a strand runs on a worker, which has seen its start. */
    return __builtin_expect(__atomic_load_n(&sg_recording, __ATOMIC_RELAXED) != 0, 0) != 0;
}

/* The strand reads or writes these bytes, each cache line once, and does not find them in the
 * cache. They may lie in several objects; bytes in none are left out, which a line on stderr says
 * at the end. */
static inline void sg_record_touch(const void *p, size_t bytes) {
    if (sg_is_recording())
        sg_record_footprint(sg_record_as_touched, p, bytes);
}

/* The same where it finds them in the cache. */
static inline void sg_record_reuse(const void *p, size_t bytes) {
    if (sg_is_recording())
        sg_record_footprint(sg_record_as_reused, p, bytes);
}

/* A part of a matrix: `rows` times `bytes`, each `stride` bytes after the one before. */
static inline void sg_record_touch_rows(const void *p, size_t bytes, size_t stride, size_t rows) {
    if (sg_is_recording()) {
        sg_record_pause();
        for (size_t i = 0; i < rows; ++i)
            sg_record_footprint(sg_record_as_touched, SG_CAST(const char *, p) + i * stride, bytes);
        sg_record_resume();
    }
}

#ifdef __cplusplus
}
#endif
