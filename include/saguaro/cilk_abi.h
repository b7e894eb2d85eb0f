/* SPDX-License-Identifier: MIT */
/*
 * The interface for translators from Cilk to C: what the generated C calls. examples/clones/ has
 * such C written by hand.
 *
 * A function that spawns becomes three functions:
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
 * `deque` and `tail` belong to the native stack that runs. They are hidden arguments, so that they
 * stay in registers. A frame is a struct that begins with an sg_frame. A site is a point at which a
 * frame may be taken or may wait; all sites of one function use the same struct. A fast clone's own
 * frame may be a prefix of it, with only what is live across spawns.
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
 * Everything off the fast path is out of line and takes values, not addresses, because a variable
 * whose address is taken lives in memory. For fib that is the difference between 1.4 and 2.2 times
 * the serial function.
 *
 * A fast clone needs no code for a sync: if its frame was taken, it returns at once, so a fast
 * clone that goes on has no children. A slow clone spawns and calls in the same way, with sites of
 * kind sg_full_frames and its frame on the heap. What it needs of that frame for a call it reads
 * before the push, because a thief goes on with this very frame. At a sync and at the end it does
 * this:
 *
 *     if (sg_sync(deque, frame, &f_site_3))         // before each sync, and before the end
 *         return;
 *     ...
 *     sg_return(deque, frame, &result);             // the last thing it does
 *
 * For a spawn with an inlet the site names the inlet, and the frame has the inlet's other
 * arguments. In a fast clone whose frame was not taken the inlet is a plain call after the pop. The
 * same holds in a slow clone, where sg_poll follows the call:
 *
 *     frame.arguments_1 = (struct f_arguments_1){a, b};
 *     frame.head.site = &f_site_1;                  // .inlet = f_inlet
 *     sg_push(tail, &frame.head);
 *     long x = g_fast(deque, tail + 1, n - 1);
 *     if (sg_pop(deque, tail) && f_stolen(deque, tail, x))
 *         return 0;
 *     f_inlet(&frame.head, 0, &frame.arguments_1, &x);
 *
 * Variables that an inlet uses lie in the frame, in both clones. An inlet may have changed them
 * whenever the function has been at a spawn or a sync. A spawn in such a function is never turned
 * into a call.
 *
 * `abort` needs no code in a fast clone, which has no children out. In a slow clone it is
 * sg_abort(frame), in an inlet `if (is_full) sg_abort(frame)`. SYNCHED is 1 in a fast clone and
 * sg_synched(frame) in a slow one.
 *
 * Any function may be aborted, by the function that has spawned it or by one above that. It learns
 * this when sg_is_stolen or sg_suspend returns SG_ABORTED. A fast clone then frees its blocks and
 * returns at once. If they return 1, the clone must not free its blocks, because the frame lives on
 * elsewhere. A slow clone returns at once in either case; when its children have ended, it is
 * entered again at the `cleanup` of its site:
 *
 *     case 9:                                       // the cleanup site's entry
 *         sg_block_free(frame->block);
 *         sg_return(deque, &frame->head, NULL);
 *         return;
 *
 * The protocols are in src/scheduler/README.md and src/scheduler/inlets.md.
 */
#pragma once

/* For the text that cilk2c writes: it puts this line first. */
#ifdef __clang__
#pragma clang diagnostic ignored "-Wgnu-line-marker"
#endif

#include "saguaro/detail/c_reducer.h"
#include "saguaro/detail/cilk_profile.h"
#include "saguaro/detail/frame.h"
#include "saguaro/detail/region.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The kinds of the frames of fast clones (on a native stack; thieves copy them) and of slow clones
 * (on the heap; thieves go on with them where they are). */
extern const sg_frame_kind sg_spawned_frames;
extern const sg_frame_kind sg_full_frames;

/* Marks functions off the fast path: never inlined, and placed far away. */
#define SG_COLD __attribute__((noinline, cold))

/* Whether the function that has just returned has not come to its end, because a thief took part of
 * it; its result is not there yet. A load and a branch after each call of a fast clone. */
#define SG_UNFINISHED(deque) __builtin_expect((deque)->incomplete != NULL, 0)

/* What sg_is_stolen and sg_suspend return when the function has been aborted. */
#define SG_ABORTED 2

/* Call it when sg_pop is not zero. Some 20 ns if nothing was stolen. Returns
 *
 * - 0: nothing was stolen; go on.
 * - 1: the frame is gone. The child's result, at `result` (null if it has none), has been handed
 *   over. The clone must return at once, any value.
 * - SG_ABORTED: nothing was stolen, but a fast clone must free its blocks. The clone must return at
 *   once, any value. */
int sg_is_stolen(sg_deque *deque, sg_frame **tail, const void *result);

/* Call it when SG_UNFINISHED, with everything saved in `frame`. Returns
 *
 * - 0: the callee has come to its end meanwhile, and its result is at `result`; go on.
 * - 1: the frame, or a copy of it if it was a fast clone's, waits for the callee. The clone must
 *   return at once.
 * - SG_ABORTED: as above. */
int sg_suspend(sg_deque *deque, sg_frame *frame, void *result);

/* A slow clone's sync. Returns 0 if all children have ended. Otherwise the frame waits for them and
 * will go on at `site`; the clone must return at once without touching the frame. */
int sg_sync(sg_deque *deque, sg_frame *frame, const sg_site *site);

/* The end of a slow clone, after its last sync: hands `result` over (null for void, and at a
 * cleanup site), and frees the frame. The clone must return at once. */
void sg_return(sg_deque *deque, sg_frame *frame, const void *result);

/* Runs the inlets of children that have ended while the function ran. A slow clone of a function
 * with inlets calls it after each of its spawns that was not stolen, with its own `frame`. As a
 * rule no inlet waits, and the call is a load and a branch. */
void sg_poll(sg_frame *frame);

/* Aborts the children that the function has spawned so far and that are still out. Their results
 * are dropped and their inlets are not run. A child stops when it next pops or goes on, if it is a
 * clone that runs on behalf of this function; what an ordinary entry has begun comes to its end.
 * Children that are spawned later are not concerned.
 *
 * `frame` is a slow clone's, which calls sg_abort itself or by one of its inlets with `is_full`. It
 * takes microseconds if any child is out, because all workers are told. */
void sg_abort(sg_frame *frame);

/* SYNCHED. In the slow clone of `frame`: whether all children have ended and their inlets have run.
 * In an inlet of that function: whether no other child runs. If it returns 1, what the children
 * have written is visible. It also returns 0 if the function itself was aborted, because its
 * children may then have ended without a result. */
int sg_synched(sg_frame *frame);

/* Memory that does not move, for variables whose address is taken across a spawn: `bytes` of it,
 * aligned as malloc does. The frame holds its address. Never null: without memory the program ends
 * with a line on stderr. */
void *sg_block_new(size_t bytes);
void sg_block_free(void *block); /* null: nothing */

/* The same for a stricter alignment, a power of two. */
void *sg_block_new_aligned(size_t bytes, size_t alignment);

/* Blocks that are freed together: what alloca becomes in a function that spawns. `*list`, in the
 * frame, is null at first. */
void *sg_block_add(void **list, size_t bytes);
void sg_block_free_all(void *list);

/* How an ordinary entry enters. On a worker it returns the worker's deque, and in `tail` the first
 * free slot. Elsewhere it returns null, and the entry passes a function that calls it again to
 * sg_run. */
sg_deque *sg_enter(sg_frame ***tail);

/* An ordinary entry calls it after its fast clone, when SG_UNFINISHED. Waits for the end; the
 * native stack is parked meanwhile. The result is then at `result` (null if it has none). */
void sg_await(sg_deque *deque, void *result);

/* Runs body(captured, first, last) for consecutive ranges that together are [0, count). They may
 * run in parallel, `captured` being shared; each has at least `grain` iterations and less than
 * twice as many, unless there are fewer in all. Grain 0 chooses: a 1024th of the loop, at most 16,
 * or a 4096th if that is more, at most 1024; at least 1. Nothing is cut up before another worker
 * steals: a range costs a store, a load and a branch. Returns when all have ended; the native stack
 * is parked while it waits. `deque` and `tail` are the caller's, or null where sg_enter returns
 * null: then a worker is entered. The body may spawn and loop through ordinary entries. */
void sg_for(sg_deque *deque, sg_frame **tail,
            void (*body)(void *captured, sg_uint64 first, sg_uint64 last), void *captured,
            sg_uint64 count, sg_uint64 grain);

/* A loop that is to run, and whose step is 0: ends the program with a line on stderr. */
void sg_refuse_step(void) __attribute__((noreturn, cold));

#ifdef __cplusplus
}
#endif
