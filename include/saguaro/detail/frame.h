/* SPDX-License-Identifier: MIT */
/*
 * Frames and the deque, as far as code that spawns sees them.
 *
 * A frame is a record from which a thief can take work. It begins with a pointer to its site, a
 * constant that says what kind of frame it is and how it goes on. Each native stack has one deque:
 * an array of pointers to frames, with nulls behind the last one. The owner pushes by a store of
 * the pointer. It pops by a store of null and a look at the mark `exc`. Thieves take at the other
 * end, under a lock. The array has more slots than the stack has room for frames, so it cannot
 * overflow.
 *
 * The protocol, with its states and races, is in src/scheduler/README.md.
 */
#pragma once

#include "saguaro/detail/cast.h"
#include "saguaro/detail/integers.h"
#include "saguaro/detail/race_mark.h"
#include "saguaro/detail/sanitizers.h"

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* How thieves take from frames of one kind: the runtime's. */
typedef struct sg_frame_kind sg_frame_kind;

struct sg_deque;
struct sg_frame;

/* An inlet: the function that takes in a child's result. No other strand of the function that
 * spawned the child runs meanwhile; any worker may call the inlet. `frame` is that function's.
 * `is_full` is 0 when a fast clone calls its own inlet; the function then has no child that is
 * still out. `arguments` is a copy of what was at argument_offset when the child was spawned, and
 * `result` is the child's result (undefined if it has none); both are aligned as malloc does. The
 * inlet must not spawn or sync, nor call a function that does. It should be short, because the
 * function cannot go on before it has ended. */
typedef void (*sg_inlet)(struct sg_frame *frame, int is_full, const void *arguments,
                         const void *result);

/* One point in a program where a frame may be taken or suspended: a constant. */
typedef struct sg_site {
    const sg_frame_kind *kind;
    /* C: the slow clone. C++: what runs the part that was taken, `frame` being its closure. */
    void (*code)(struct sg_deque *deque, struct sg_frame **tail, struct sg_frame *frame);
    /* The following describe C frames and are 0 elsewhere. */
    sg_uint32 entry;         /* where the slow clone goes on */
    sg_uint32 saved_size;    /* bytes to copy when a fast clone's frame is taken: a prefix */
    sg_uint32 frame_size;    /* bytes of the whole frame, as the slow clone sees it */
    sg_uint32 result_offset; /* where in the frame the child's result goes, bytes */
    sg_uint32 result_size;   /* bytes of the child's result; 0: none */
    sg_uint32 return_size;   /* bytes of the function's own result; 0: none */
    /* A spawn with an inlet: where in the frame the inlet's other arguments are, bytes. They are
     * among what is saved. The child's result, of result_size, goes to the inlet; result_offset is
     * not used. */
    sg_uint32 argument_offset;
    sg_uint32 argument_size;
    sg_inlet inlet; /* null: none */
    /* Where the slow clone goes when the function is aborted at this site: a site of kind
     * sg_full_frames, whose entry frees the frame's blocks and calls sg_return. Null: there is
     * nothing to free. */
    const struct sg_site *cleanup;
} sg_site;

/* The head of every frame. */
typedef struct sg_frame {
    const sg_site *site;
} sg_frame;

/* The part of a deque that code which spawns works with; the runtime keeps more behind it. Only
 * the flow that runs on the deque's stack may touch `incomplete` and `tail`. */
typedef struct sg_deque {
    /* A pop of a slot below this must ask the runtime whether the frame is still there. Written
     * under the deque's lock, by thieves and by the owner. */
    sg_frame **exc;
    /* Set while a C function that was taken unwinds from this stack: what the caller waits for. */
    void *incomplete;
    /* A lower bound of the first free slot, exact unless C clones have pushed since. */
    sg_frame **tail;
} sg_deque;

/* Whether the runtime is to hear of pushes: a thread sleeps that could take what is pushed, or an
 * observer follows each spawn. A flow that has pushed a frame looks here, and calls sg_wake if it
 * is not 0. Clones in C do not look when they push; their pops do, and sleepers look around by
 * themselves. */
extern unsigned sg_hear_pushes;

/* Wakes one sleeping thread, if there is one, and tells an observer of the push. Any thread may
 * call it. Some 5 µs. */
void sg_wake(void);

/* The same for a scope that has spawned. The address, not null, stands for the place in the program
 * that spawns: observers tell children apart by it. */
void sg_wake_for(const void *site);

/* Makes `frame` stealable in the slot `tail`, the deque's first free one. One store.
 * Release: pairs with the thief's acquire load of the slot, which then sees the frame's contents.
 */
static inline void sg_push(sg_frame **tail, sg_frame *frame) {
    __atomic_store_n(tail, frame, __ATOMIC_RELEASE);
}

/* Takes back the frame in the slot `tail`, the deque's last full one. Zero: the frame is the
 * caller's again. Otherwise the runtime must be asked. A store, a load and a branch.
 *
 * The processor may do the load before the store is visible: the owner only keeps the compiler from
 * exchanging them. So a thief takes nothing of which it is not certain that the owner asks; where
 * it cannot wait for the owner, it makes all processors pass a fence. */
static inline int sg_pop(sg_deque *deque, sg_frame **tail) {
#if SG_THREAD_SANITIZER
    __atomic_store_n(tail, (sg_frame *)NULL, __ATOMIC_RELAXED);
    /* Acquire: see deque::show_exc; the processor orders what follows by the branch. */
    return __atomic_load_n(&deque->exc, __ATOMIC_ACQUIRE) > tail;
#else
    /* Volatile: the compiler keeps the two in order, and gcc estimates them cheaper than its atomic
     * builtins, which decides how deep it inlines a recursive clone (fib: 5 % of the time). */
    *SG_CAST(sg_frame *volatile *, tail) = NULL;
    return *SG_CAST(sg_frame * *volatile *, &deque->exc) > tail;
#endif
}

#ifdef __cplusplus
}
#endif
