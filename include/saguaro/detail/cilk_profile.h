/* SPDX-License-Identifier: MIT */
/*
 * Measuring work and critical path: what the clones of a program call that `cilkc -cilk-profile`
 * compiled. Programs do not call these functions; they read the results by MIT Cilk's
 * Cilk_user_work and Cilk_user_critical_path.
 *
 * The work is the time that all strands take together. The critical path is the time that they
 * would take on as many processors as they can use: of strands that may run side by side the
 * longest counts, of strands that follow each other the sum. Work divided by critical path is the
 * parallelism. Both are the time for which the strands have a processor, in nanoseconds. Not
 * counted are steals, syncs, these functions themselves, inlets that run late because of a steal,
 * and what the system does in between.
 *
 * Each activation of a function has a record, which is made at its begin. The clock of the deque on
 * which a strand runs has the record, and the length of the path up to the strand. A spawn stores
 * that path in the record, where the continuation finds it on whichever worker. A child that ends
 * raises the longest path in the record, and the sync goes on with the longer one. The end of a
 * call stores the path likewise.
 *
 * Each costs one or two readings of the clock, some 30 ns; the begin an allocation more.
 *
 * A recording (SAGUARO_RECORD) hears of functions by the same calls. Where many short ones run it
 * dozes: a function has a third clone for that, the silent one, which spawns nothing and tells
 * nothing. Only one worker runs then.
 */
#pragma once

#include "saguaro/detail/frame.h"

#ifdef __cplusplus
extern "C" {
#endif

/* One activation: of a function that spawns, or of an ordinary entry. */
typedef struct sg_profile sg_profile;

/* After how many spawns in silent clones somebody is to look whether a recording may go on dozing;
 * 0: it listens. Only the thread of the recorded strands touches it. */
extern unsigned sg_recording_dozes;

/* It is 0 since a silent clone has counted it down: whether silent clones may run nevertheless. */
int sg_profile_doze_further(void);

/* Whether a function is to run as its silent clone. A load and a branch. */
static inline int sg_profile_dozes(void) {
    return __builtin_expect(sg_recording_dozes != 0, 0) != 0;
}

/* The same, where a silent clone calls or spawns. */
static inline int sg_profile_still_dozes(void) {
    return sg_recording_dozes != 0;
}
static inline int sg_profile_dozes_on(void) {
    return sg_profile_still_dozes() &&
           (__builtin_expect(--sg_recording_dozes != 0, 1) || sg_profile_doze_further());
}

/* The activation begins, in the strand that runs on `deque`. Never null: the program ends with a
 * line on stderr if there is no memory. Freed by sg_profile_end or sg_profile_drop. */
sg_profile *sg_profile_begin(sg_deque *deque);

/* Before the push of a spawn. The child's sg_profile_begin comes next: in its fast clone, or,
 * around plain C, with its sg_profile_end, where it is called. */
void sg_profile_spawn(sg_deque *deque, sg_profile *profile);

/* The spawned child has returned, finished or not; before the pop. */
void sg_profile_returned(sg_deque *deque, sg_profile *profile);

/* The activation goes on: behind the pop, at an entry of the slow clone, after sg_suspend and
 * sg_await. */
void sg_profile_go_on(sg_deque *deque, sg_profile *profile);

/* The flow leaves the activation for good: it was taken, waits for a callee, or is aborted; or its
 * slow clone has ended. */
void sg_profile_leave(sg_deque *deque);

/* Before sg_sync. */
void sg_profile_wait(sg_deque *deque, sg_profile *profile);

/* All children have ended. */
void sg_profile_sync(sg_deque *deque, sg_profile *profile);

/* The activation ends, all children have: who spawned or called it gets its path and its work. The
 * caller's strand goes on. Frees `profile`. */
void sg_profile_end(sg_deque *deque, sg_profile *profile);

/* The same for one that was aborted: only its work counts. */
void sg_profile_drop(sg_profile *profile);

/* sg_for. Blocks of `grain` iterations count as side by side, the iterations of one as a strand. */
void sg_profile_for(sg_deque *deque, sg_frame **tail,
                    void (*body)(void *captured, sg_uint64 first, sg_uint64 last), void *captured,
                    sg_uint64 count, sg_uint64 grain);

/* For what cilkc++ compiles with -cilk-profile: from the next start of the workers on one of them
 * runs, in the serial order, and hears of each spawn. It adds the work and the critical path of
 * each run to those of the program. A recorded run measures nothing. Any thread. */
void sg_profile_each_spawn(void);

/* The work of the activation that runs so far, with what it has called and those of its children
 * that have ended; nanoseconds. Outside of any: of all that have begun there and ended. 0 in a run
 * that is recorded. */
long long sg_profile_work(void);

/* The critical path from the start of the program's parallel part to here; nanoseconds. Outside of
 * any activation: of all that have begun there and ended, one after the other. */
long long sg_profile_critical_path(void);

#ifdef __cplusplus
}
#endif
