/* SPDX-License-Identifier: MIT */
/*
 * Virtualized master-slave: parallel constructs of your own, written as sequential code.
 *
 * After Halle and Cohen, "A Mutable Hardware Abstraction to Replace Threads" (LCPC 2011). A program
 * runs on virtual processors (VPs), each with a stack of its own. A VP that wants something of
 * another VP makes a request. There is one Master, which handles one request after the other; the
 * order in which it does so is the virtual time. A plug-in says what a request means. It has two
 * functions:
 *
 * - The communication handler looks at a request and changes the plug-in's state. It resumes the
 *   VPs whose construct has ended, and leaves blocked those that have to wait.
 * - The scheduler chooses the ready VP that a core animates, that is, runs, next.
 *
 * Both are ordinary sequential code. The Master never makes two calls of an instance's functions at
 * the same time, and each call sees what the one before it wrote. So they need no atomic and no
 * lock.
 *
 *              request, handler          resume                scheduler
 *   Animated ------------------> Blocked ---------> Ready --------------------> Animated
 *
 * Each change of state is one step of virtual time, and so is a message that suspends nobody. The
 * Master guarantees this: when the handler resumes VP b while it handles a request of VP a, the two
 * points are tied. What happened in a before its point is visible to b after b's point. What a does
 * after it was resumed itself is not visible to b before b's point.
 *
 * A resumed VP may go on in another thread of the kernel than before. So it must not keep the
 * address of a thread-local variable (errno is one) across a request. It may make a request inside
 * a handler of a C++ exception. A VP keeps its rounding mode (fesetround) across requests; it
 * begins with that of the caller of sg_vms_run, which handlers and schedulers of requests have,
 * too. A child of fork() inside an instance may only exec.
 *
 * A wrong call ends the instance with one line and an error: EINVAL for an argument (a null, a VP
 * or a core that is not the instance's), EPROTO for a call from the wrong place, a null request, or
 * an exception that leaves a VP's function, the handler or the scheduler. A VP that makes such a
 * call goes no further. In a thread that animates no VP, and in a run (saguaro::run, sg_nt_run)
 * that a VP has started, a call of a VP's or a handler's functions aborts with one line.
 */
#pragma once

#include "saguaro/detail/race_names.h"

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* One run of a plug-in: its VPs, its cores, its virtual time. */
typedef struct sg_vms sg_vms;

typedef struct sg_vp sg_vp;

/* A VP's code. `animating` is the VP that runs it. When it returns, the VP has ended. */
typedef void (*sg_vms_function)(void *argument, sg_vp *animating);

/* A VP may be animated on any core. */
#define SG_VMS_ANYWHERE (~0U)

/* A virtual processor; there is more to it than these. The handler and the scheduler may touch them
 * while the VP is blocked or ready, the VP itself while it runs. */
struct sg_vp {
    sg_vms *instance; /* constant */
    uint64_t number;  /* constant: 1, 2, ... in the order of creation; the first runs the program */
    void *data;       /* constant: `vp_bytes` of the plug-in's own; zeros when the VP is created */
    void *answer;     /* what sg_vms_request and sg_vms_send return; null when they are called */
    sg_vp *next;      /* the plug-in's, to keep blocked VPs in lists */
    unsigned place;   /* the core that is to animate it, or SG_VMS_ANYWHERE, which it is at first */
};

/* What defines the constructs. */
typedef struct sg_vms_plugin {
    const char *name; /* for messages; may be null */

    /* The communication handler. `request` is what `requester` gave to sg_vms_request, which leaves
     * it blocked until somebody resumes it; or to sg_vms_send, and then it is animated still. Null:
     * the requester's function has returned; VMS dissipates it after this call. */
    void (*handle)(void *state, sg_vp *requester, void *request);

    /* The scheduler: a ready VP that `core` is to animate now; null: none of them. Called only
     * while there are any. sg_vms_first_come is one, and what a null pointer here means. */
    sg_vp *(*schedule)(void *state, sg_vms *instance, unsigned core);

    /* Writes at most `bytes` characters (with the 0) about what `request` asks for, as in "receives
     * from VP 2": read after the VP's name in reports of a deadlock and in traces. The VP may be
     * blocked, or the request just about to be handled. May be null. */
    void (*describe)(void *state, const sg_vp *vp, const void *request, char *text, size_t bytes);

    size_t vp_bytes; /* of the plug-in's own in each VP: sg_vp.data. At most 1,073,741,824 */
} sg_vms_plugin;

/* Settings. A member that is zero or null is as the environment says, or the default. */
typedef struct sg_vms_options {
    unsigned cores;     /* 1 to 4096, more than the machine has if you like: SAGUARO_WORKERS */
    unsigned slots;     /* 1 to 31 VPs that a core animates between two visits of the Master: 1 */
    size_t stack_bytes; /* for each VP, 65,536 to 1,073,741,824: SAGUARO_STACK_SIZE */
    const char *trace;  /* FILE.txt or FILE.svg for the virtual time line: SAGUARO_VMS_TRACE */
} sg_vms_options;

/* Runs function(argument, vp) on the first VP of a new instance of the plug-in and returns when all
 * VPs have ended. `state` is the plug-in's semantic state; any number of instances, of one plug-in
 * or several, may run at once. From any thread, which waits.
 * `plugin` is copied; `options` may be null.
 *
 * Takes a thread of the kernel for each core, on the processor that SAGUARO_PIN says, and reads the
 * settings: some 0.1 ms for each core. The library keeps the threads for the next run (sg_stop).
 *
 * 0; or one line on stderr and
 *   EDEADLK  all VPs that are left are blocked: the line says who waits for what;
 *   EPROTO   the plug-in broke the rules, as by resuming a VP twice, or an exception left its
 *            functions or a VP's;
 *   EINVAL   an argument is wrong, or an option out of range, or the trace cannot be written;
 *   EAGAIN   the system refuses a thread;
 *   ENOMEM   there is no memory, or no more stacks, for a VP;
 *   or what the plug-in gave to sg_vms_fail.
 * After an error the VPs that were left are gone, without having returned. */
int sg_vms_run(const sg_vms_plugin *plugin, void *state, const sg_vms_options *options,
               sg_vms_function function, void *argument)
    SG_NOT_SERIES_PARALLEL("virtual processors");

/* ---- For the plug-in's library, called by VPs ---- */

/* Suspends `animating`, the VP that calls, and has the Master handle `request` (not null, the
 * plug-in's, may lie on the VP's stack). Returns the VP's `answer` when it is animated again: by
 * then somebody has resumed it. Some 100 cycles, the handler's work aside. */
void *sg_vms_request(sg_vp *animating, void *request);

/* Has the Master handle `request` without suspending the VP: it has been handled when this returns
 * the VP's `answer`. The handler must not resume the VP. Costs a lock, and no switch. */
void *sg_vms_send(sg_vp *animating, void *request);

/* Has the Master handle `request` (not null) of an instance, from any thread of the process: an
 * event from outside, which sg_vms_hold has announced. It has been handled when this returns, so it
 * may lie on the caller's stack. The handler's requester is VP 0, which stands for the outside: it
 * has an instance, and zeros for data at first; it cannot be resumed. The handler may resume any VP
 * that is blocked, create VPs, and announce more. Uses up one hold, also if it fails. Some 0.1 µs,
 * and a system call for each core that sleeps and gets something to do.
 *
 * 0, or ECANCELED if the instance has failed: the request has not been handled. Aborts with one
 * line if there is no hold; undefined if the instance has ended. Not inside handlers and
 * schedulers, of which instance ever: that fails theirs with EPROTO, and a hold of another instance
 * stays. Not inside a signal's handler. */
int sg_vms_post(sg_vms *instance, void *request);

/* Announces one sg_vms_post, by a VP of the instance or its handler. Until it has come, sg_vms_run
 * does not return, and VPs that are all blocked are no deadlock; the cores sleep then. Call it
 * before another thread can post. After an error sg_vms_run says how many posts it waits for, in
 * one line, and returns when they have come. A post alone gives a hold back: if the event does not
 * come, post a request of which the handler does nothing, also from a VP of the instance. */
void sg_vms_hold(sg_vms *instance);

/* The VP that calls; null in threads that animate none, in handlers, and in a run that a VP has
 * started. */
sg_vp *sg_vms_self(void);

/* ---- For handlers and schedulers ----
 *
 * To be called inside the plug-in's two functions only, about VPs of their instance.
 */

/* Blocked -> Ready: the VP's construct has ended. It waits behind those that are ready already. An
 * error if it is not blocked. */
void sg_vms_resume(sg_vp *vp);

/* As sg_vms_resume, but it comes before those that are ready already. */
void sg_vms_resume_first(sg_vp *vp);

/* A new VP, blocked, so that it may be given a place and data before it is resumed. Null if there
 * is no memory for it: then the instance has failed. It takes a stack when it is first animated. */
sg_vp *sg_vms_create(sg_vms *instance, sg_vms_function function, void *argument);

/* Ends a blocked VP, which is never animated again; what is on its stack is not destroyed. VPs that
 * return are dissipated by themselves. */
void sg_vms_dissipate(sg_vp *vp);

/* Whether a VP has not been dissipated. Its memory is kept for a while, so that messages to such
 * VPs are found: the 1024 that were dissipated last are told from new ones. */
int sg_vms_is_live(const sg_vp *vp);

/* Memory, recycled by size: some 10 cycles for small blocks. Aligned to 16 bytes, not zeroed. Ends
 * with the instance at the latest. Null if there is none: then the instance has failed. */
void *sg_vms_allocate(sg_vms *instance, size_t bytes);

/* Takes it back; `bytes` as it was allocated with. A null block is nothing. A block of at most
 * 1,024 bytes that is free already ends the instance with EINVAL, unless its memory has been
 * allocated again. A larger one is undefined behaviour. */
void sg_vms_free(sg_vms *instance, void *block, size_t bytes);

/* Ends the instance: sg_vms_run prints "saguaro: NAME: " and the message, which is like printf's,
 * and returns `error`, or EPROTO if that is 0. The first one counts. VPs that are being animated
 * stop at their next request. A VP of the instance may call it, too. */
void sg_vms_fail(sg_vms *instance, int error, const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 3, 4)))
#endif
    ;

/* The scheduler that takes the VP that has been ready longest, of those with this core for a place
 * and those that may go anywhere. */
sg_vp *sg_vms_first_come(void *state, sg_vms *instance, unsigned core);

/* The VPs that are ready with this place (a core, or SG_VMS_ANYWHERE), for schedulers that choose
 * otherwise: first the one that has been ready longest; null at the end, and for a core that there
 * is not. A scheduler may return any
 * VP that is ready, also one with another place. */
sg_vp *sg_vms_first_ready(const sg_vms *instance, unsigned place);
sg_vp *sg_vms_next_ready(const sg_vp *vp);

/* Cores of the instance: 0 to sg_vms_cores - 1. From anywhere. */
unsigned sg_vms_cores(const sg_vms *instance);

/* The virtual time: the steps of the Master so far. From anywhere while the instance runs; outside
 * of handlers and schedulers it may be some steps old. */
uint64_t sg_vms_time(const sg_vms *instance);

#ifdef __cplusplus
}
#endif
