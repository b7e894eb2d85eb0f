/* SPDX-License-Identifier: MIT */
/*
 * Nano-threads, for C and C++: small threads that the runtime never preempts.
 *
 * A program creates a nano-thread with the number of things it depends on, and with its successors,
 * the nano-threads that depend on it. The nano-thread is ready when all that it depends on is
 * satisfied. It runs on one of the run's processors, which are threads of the system, until it
 * ends, yields, blocks or joins. When it ends, it satisfies one dependence of each successor
 * (Polychronopoulos, Bitar, Kleiman: Nanothreads, 1993).
 *
 * Since nobody preempts it, a nano-thread that has not begun needs no stack, and one that ends
 * leaves its stack to the next. The three designs for stacks are those of Venetis and
 * Papatheodorou, Tying Memory Management to Parallel Programming Models, 2006.
 *
 * Only nano-threads may call these functions, except for sg_nt_run and sg_nt_unblock. Another
 * caller ends the program with one line and exit code 2, also a task of a run that a nano-thread
 * has started. So do a null function, nano-thread or successor, and a dependence that is satisfied
 * once too often, of which the line names the nano-thread and the count. A handle is valid until
 * its nano-thread has ended; one of another run, which may have ended, is refused alike, with DOS
 * if that run is under way. A C++ exception that leaves a nano-thread's function aborts the program
 * with one line.
 *
 * A nano-thread begins with the rounding mode (fesetround) of the caller of sg_nt_run. A change
 * that it makes stays when it yields, blocks or joins, and other nano-threads keep their modes.
 */
#pragma once

#include "saguaro/detail/cast.h"
#include "saguaro/detail/race_names.h"

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A nano-thread. */
typedef struct sg_nt sg_nt;

/* Settings that a program chooses itself. A member that is zero or null is as the environment says
 * (SAGUARO_WORKERS, SAGUARO_NANOTHREADS_STACK_SIZE, SAGUARO_NANOTHREADS_DESIGN), or the default. */
typedef struct sg_nt_options {
    unsigned processors; /* threads of the system that run nano-threads: 1 to 4096 */
    size_t stack_bytes;  /* of a stack with its guard, rounded up to a power of two: 16,384 to
                            1,073,741,824 */
    const char *design;  /* "dsr", "lsa" or "dos": see docs/nanothreads.md */
} sg_nt_options;

/* What a run has done and used. */
typedef struct sg_nt_statistics {
    uint64_t created;         /* nano-threads, the main one included */
    uint64_t stacks_at_start; /* allocated before the main thread began; the stacks that the system
                                 gave the processors after the first count here and in `stacks` */
    uint64_t stacks;          /* the most that there were */
    uint64_t descriptors;     /* the most that there were; 0 in DOS, where stacks hold them */
    uint64_t steals;          /* times that a processor took threads from another */
    uint64_t sleeps;          /* times that a processor without work went to sleep */
} sg_nt_statistics;

/* Starts the processors, of which the calling thread is the first, and runs function(argument) as
 * the main nano-thread. In a task of saguaro::run the first is another thread, and the task waits.
 * Returns when that one and all others have ended.
 * Fills `out`, which may be null. A run takes some 0.1 ms, and as much for each processor after the
 * first. The library keeps the threads of the other processors for the next run (sg_stop).
 *
 * Returns 0, or
 *
 * - EDEADLK if the nano-threads that are left wait for each other; a line on stderr counts them.
 *   They are dropped, and what their stacks own is not freed.
 * - EINVAL if an option or a setting is not accepted, or `function` is null, with a line on stderr.
 * - EBUSY if another run has stacks of another size; sg_nt_self has one mask for all.
 * - EAGAIN or ENOMEM if the system refuses threads or memory.
 *
 * Several runs may be under way at once. Several threads may start them, tasks, or a nano-thread,
 * which then waits with its processor. A nano-thread may name only nano-threads of its own run to
 * the functions below, except to sg_nt_unblock if there is a hold for that. */
int sg_nt_run(const sg_nt_options *options, void (*function)(void *argument), void *argument,
              sg_nt_statistics *out) SG_NOT_SERIES_PARALLEL("nano-threads");

/* Creates a nano-thread that calls function(argument) once `dependences` (less than 2^31) have been
 * satisfied, at once if that is 0. When it has ended, each of the `successor_count` nano-threads in
 * `successors` gets one dependence satisfied; each must have one left that nobody else satisfies.
 * The array is copied. Returns null without memory (errno is ENOMEM).
 *
 * The newest ready nano-thread runs first on the processor that made it ready; other processors
 * take the oldest. With at most one successor a creation takes some 5 ns; the heap holds more than
 * one. */
sg_nt *sg_nt_create(void (*function)(void *argument), void *argument, unsigned dependences,
                    sg_nt *const *successors, size_t successor_count);

/* Creates a nano-thread that is ready, and that the caller's next sg_nt_join waits for: the same as
 * sg_nt_expect(1), and sg_nt_create with the caller as successor. */
sg_nt *sg_nt_fork(void (*function)(void *argument), void *argument);

/* The caller's next sg_nt_join waits for `count` more dependences: nano-threads that have the
 * caller as a successor, or calls of sg_nt_satisfy. Call it before the caller's next fork or join.
 * Less than 2^31 may be outstanding. */
void sg_nt_expect(unsigned count);

/* Satisfies one dependence of `thread`. When `thread` begins, or returns from its join, it sees
 * what the caller did before. */
void sg_nt_satisfy(sg_nt *thread);

/* Waits until all that the caller forked or expects has ended or is satisfied; the processor runs
 * other nano-threads meanwhile. A nano-thread whose function returns joins before it ends. */
void sg_nt_join(void);

/* Lets all nano-threads that are ready on the caller's processor run first. */
void sg_nt_yield(void);

/* Waits until somebody calls sg_nt_unblock for the caller. The runtime counts these calls: if one
 * came before, sg_nt_block returns at once and uses it up. */
void sg_nt_block(void);

/* Lets one sg_nt_block of `thread` return, the one under way or the next. After it `thread` sees
 * what the caller did before. `thread` runs after all that are ready on the caller's processor. At
 * most 2^31 - 1 unblocks may be unused.
 *
 * Any thread of the process may call it, also a nano-thread of another run, if sg_nt_hold has
 * announced that: such a call comes from outside the run and uses up one hold. `thread` then runs
 * after all that are ready on the processor that finds it first. A processor looks for it when it
 * has nothing ready and when its nano-thread yields: where none of the run ever does either,
 * `thread` does not run. A call from outside takes some 0.1 µs, and some microseconds if a
 * processor sleeps. Not inside a signal's handler. Without a hold it ends the program with one
 * line, or is undefined if the run has ended. */
void sg_nt_unblock(sg_nt *thread);

/* Announces one call of sg_nt_unblock from outside the run, by a thread that is none of its
 * nano-threads. Until that call has come the run does not end, and its nano-threads that wait are
 * no deadlock. Call it before another thread can call sg_nt_unblock, for each of its calls. That
 * call alone gives a hold back: if the event does not come, a thread of the program must unblock
 * the nano-thread for it. Less than 2^31 may be outstanding. Some 5 ns. */
void sg_nt_hold(void);

/* The number of the processor that runs the caller, from 0; it may change at each yield, block and
 * join. -1 in a thread that is no processor. */
int sg_nt_processor(void);

/* The size of a stack less one, for sg_nt_self. */
extern uintptr_t sg_nt_mask;

/* The calling nano-thread; undefined in other callers. It takes three instructions: stacks are
 * aligned to their size, and the last word of each stack points to the nano-thread that runs on it.
 */
static inline sg_nt *sg_nt_self(void) {
    uintptr_t sp;
#if defined(__x86_64__)
    __asm__("mov %%rsp, %0" : "=r"(sp));
#elif defined(__aarch64__)
    __asm__("mov %0, sp" : "=r"(sp));
#else
    sp = SG_CAST(uintptr_t, __builtin_frame_address(0));
#endif
    return *SG_CAST(sg_nt **, (sp | sg_nt_mask) + 1 - sizeof(sg_nt *));
}

#ifdef __cplusplus
}
#endif
