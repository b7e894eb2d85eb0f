/* SPDX-License-Identifier: MIT */
/*
 * What a translator of Cilk to C targets; tests/cilk/ and bench/ have clones written by hand.
 *
 * A function that spawns becomes three:
 *
 *   fast clone      T f_fast(sg_deque *deque, sg_frame **tail, args...)
 *                   Serial code. Before a spawn it saves in its frame what is live across it,
 *                   pushes the frame, calls the child's fast clone with tail + 1, and pops.
 *   slow clone      void f_slow(sg_deque *deque, sg_frame **tail, sg_frame *frame)
 *                   Goes on with a frame that was taken, or that has waited: a switch on
 *                   frame->site->entry. Its frame is on the heap and stays where it is.
 *   ordinary entry  T f(args...)
 *                   For callers that know nothing of this.
 *
 * `deque` and `tail` belong to the native stack that runs; they are hidden arguments so that they
 * stay in registers. A frame is a struct that begins with an sg_frame; all sites of one function
 * use the same struct. A fast clone's own frame may be a prefix of it, with what is live across
 * spawns.
 *
 * A fast clone spawns like this:
 *
 *     frame.n = n;
 *     frame.head.site = &f_site_1;                  // kind sg_spawned_frames, slow clone f_slow
 *     sg_push(tail, &frame.head);
 *     long x = g_fast(deque, tail + 1, n - 1);
 *     if (sg_pop(deque, tail) && f_stolen(deque, tail, x))
 *         return 0;                                 // any value: the caller unwinds as well
 *
 *     SG_COLD static int f_stolen(sg_deque *deque, sg_frame **tail, long x) {
 *         return sg_is_stolen(deque, tail, &x);
 *     }
 *
 * and calls a function that spawns like this:
 *
 *     long y = g_fast(deque, tail, n - 2);
 *     if (SG_UNFINISHED(deque))
 *         return f_suspend(deque, x);               // with whatever is still needed
 *
 *     SG_COLD static long f_suspend(sg_deque *deque, long x) {
 *         struct f_frame frame = {{&f_site_2}, ...}; // y goes to result_offset of this site
 *         long y;
 *         return sg_suspend(deque, &frame.head, &y) ? 0 : x + y;
 *     }
 *
 * What the fast path does not do is out of line and takes values, not addresses: a variable whose
 * address is taken lives in memory. For fib that is the difference between 1.4 and 2.2 times the
 * serial function.
 *
 * The sync of a fast clone is nothing: one whose frame was taken returns at once, so one that goes
 * on has no children. Slow clones do the same with sites of kind sg_full_frames and their heap
 * frame; what they read of it for the call they read before the push, because a thief goes on with
 * this very frame. Then
 *
 *     if (sg_sync(deque, frame, &f_site_3))         // before each sync, and before the end
 *         return;
 *     ...
 *     sg_return(deque, frame, &result);             // the last thing it does
 *
 * The protocol is in src/scheduler/README.md.
 */
#pragma once

#include "saguaro/frame.h"
#include "saguaro/region.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The kinds of the frames of fast clones (on a native stack; thieves copy them) and of slow clones
 * (on the heap; thieves go on with them where they are). */
extern const sg_frame_kind sg_spawned_frames;
extern const sg_frame_kind sg_full_frames;

/* For what is off the fast path: never inlined, and placed far away. */
#define SG_COLD __attribute__((noinline, cold))

/* Whether the function that has just returned has not come to its end: it was taken on its way, and
 * its result is not there yet. A load and a branch after each call of a fast clone. */
#define SG_UNFINISHED(deque) __builtin_expect((deque)->incomplete != NULL, 0)

/* Call when sg_pop is not zero. Zero: nothing was stolen, go on. Otherwise the frame is gone; the
 * child's result, at `result` (null if it has none), has been handed over, and the clone must
 * return at once, any value. */
int sg_is_stolen(sg_deque *deque, sg_frame **tail, const void *result);

/* Call when SG_UNFINISHED, with everything saved in `frame`. Zero: the callee has come to its end
 * meanwhile, its result is at `result`; go on. Otherwise the frame (a copy of it, if it was a fast
 * clone's) waits for the callee, and the clone must return at once. */
int sg_suspend(sg_deque *deque, sg_frame *frame, void *result);

/* A slow clone's sync. Zero: all children have ended. Otherwise the frame waits for them; it will
 * go on at `site`, and the clone must return at once without touching it. */
int sg_sync(sg_deque *deque, sg_frame *frame, const sg_site *site);

/* The end of a slow clone, after its last sync: hands `result` over (null for void) and frees the
 * frame. The clone must return at once. */
void sg_return(sg_deque *deque, sg_frame *frame, const void *result);

/* For variables whose address is taken across a spawn: memory that does not move, `bytes` of it,
 * aligned as malloc does. The frame holds its address. Never null: the program ends with a line on
 * stderr if there is no memory. */
void *sg_block_new(size_t bytes);
void sg_block_free(void *block);

/* An ordinary entry's way in. On a worker: returns its deque, and in `tail` the first free slot.
 * Elsewhere: null, and the entry hands a function that calls it again to sg_run. */
sg_deque *sg_enter(sg_frame ***tail);

/* After an ordinary entry's call of its fast clone, when SG_UNFINISHED: waits for the end. The
 * native stack is parked meanwhile. The result is then at `result` (null if it has none). */
void sg_await(sg_deque *deque, void *result);

#ifdef __cplusplus
}
#endif
