/* SPDX-License-Identifier: MIT */
/*
 * Nano-threads, for C and C++: threads of a few dozen nanoseconds that nobody preempts.
 *
 * A nano-thread is created with the number of things it depends on and with its successors, the
 * threads that depend on it; it is ready when all it depends on is satisfied, runs on one of the
 * run's processors until it ends, yields, blocks or joins, and satisfies its successors when it
 * ends (Polychronopoulos, Bitar, Kleiman: Nanothreads, 1993). A processor is a thread of the system
 * that runs nano-threads one after the other. Since nobody preempts a nano-thread, one that has not
 * begun needs no stack, and one that ends leaves its stack to the next: Venetis and
 * Papatheodorou, Tying Memory Management to Parallel Programming Models, 2006, whose three designs
 * are here.
 *
 * Each function but sg_nt_run is called by nano-threads only; elsewhere it ends the program with
 * one line and exit code 2. A handle is valid until its thread has ended.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A nano-thread. */
typedef struct sg_nt sg_nt;

/* What a program may say instead of the environment; what is zero or null is as the environment
 * says (SAGUARO_WORKERS, SAGUARO_NANOTHREADS_STACK_SIZE, SAGUARO_NANOTHREADS_DESIGN), or the
 * default. */
typedef struct sg_nt_options {
    unsigned processors; /* threads of the system that run nano-threads: 1 to 4096 */
    size_t stack_bytes;  /* of a stack with its guard, rounded up to a power of two: 16,384 to
                            1,073,741,824 */
    const char *design;  /* "dsr", "lsa" or "dos": see docs/nanothreads.md */
} sg_nt_options;

/* What a run has done and used. */
typedef struct sg_nt_statistics {
    uint64_t created;         /* nano-threads, the main one included */
    uint64_t stacks_at_start; /* allocated before the main thread began; the stacks of the threads
                                 of the system that the run made are counted here and in `stacks` */
    uint64_t stacks;          /* the most that there were */
    uint64_t descriptors;     /* the most that there were; 0 in DOS, where stacks hold them */
    uint64_t steals;          /* times that a processor took threads from another */
    uint64_t sleeps;          /* times that a processor without work went to sleep */
} sg_nt_statistics;

/* Starts the processors, of which the calling thread is the first, runs function(argument)
 * as the main nano-thread, and returns when that and all others have ended. Fills `out`, which may
 * be null.
 * 0; EDEADLK if threads are left that wait for each other, with a line on stderr that counts them:
 * they are dropped, and what their stacks own is not freed; EINVAL if an option is out of range,
 * with a line on stderr; EPERM, with a line, from a task of saguaro::run, whose worker cannot be a
 * processor as well; EAGAIN or ENOMEM if the system refuses threads or memory. Some 20 µs, and
 * 50 µs for each processor after the first.
 * Several runs may be under way at once, started by several threads or by a nano-thread, which
 * waits with its processor; what the others below are told of is a thread of the caller's run. All
 * have stacks of one size, because sg_nt_self has one mask for all: EBUSY otherwise. */
int sg_nt_run(const sg_nt_options *options, void (*function)(void *argument), void *argument,
              sg_nt_statistics *out);

/* Creates a thread that calls function(argument) once `dependences` (less than 2^31) have been
 * satisfied, at once if that is 0. When it has ended, each of the `successor_count` threads in
 * `successors` gets one dependence satisfied: it must have one left that nobody else satisfies. The
 * array is copied. Null without memory (errno is ENOMEM). The newest thread that is ready runs
 * first on the processor that made it ready; other processors take the oldest.
 * With at most one successor some 5 ns; more than one are kept on the heap. */
sg_nt *sg_nt_create(void (*function)(void *argument), void *argument, unsigned dependences,
                    sg_nt *const *successors, size_t successor_count);

/* Creates a thread that is ready and that the caller's next sg_nt_join waits for: the same as
 * sg_nt_expect(1) and sg_nt_create with the caller as its successor. */
sg_nt *sg_nt_fork(void (*function)(void *argument), void *argument);

/* The caller's next sg_nt_join waits for `count` more dependences: threads that have the caller as
 * a successor, or calls of sg_nt_satisfy. Less than 2^31 may be outstanding. */
void sg_nt_expect(unsigned count);

/* Satisfies one dependence of `thread`. What came before it in the caller is seen by `thread` when
 * it begins or returns from its join. */
void sg_nt_satisfy(sg_nt *thread);

/* Waits until all that the caller forked or expects has ended or is satisfied; the processor runs
 * others meanwhile. A thread that ends joins first. */
void sg_nt_join(void);

/* Lets all threads go first that are ready on the caller's processor. */
void sg_nt_yield(void);

/* Waits until somebody calls sg_nt_unblock for the caller. Calls are counted: if one came before,
 * it returns at once and has used that up. */
void sg_nt_block(void);

/* Lets one sg_nt_block of `thread` return, the one under way or the next. What came before it in
 * the caller is seen after that sg_nt_block. The thread runs after all that are ready on the
 * caller's processor. At most 2^31 - 1 may be unused. */
void sg_nt_unblock(sg_nt *thread);

/* The number of the processor that runs the caller, from 0; it may change at each yield, block and
 * join. -1 in a thread that is no processor. */
int sg_nt_processor(void);

/* The size of a stack less one, for sg_nt_self. */
extern uintptr_t sg_nt_mask;

/* The calling nano-thread. Stacks are aligned to their size, and the last word of each points to
 * the thread that runs on it: three instructions. Undefined elsewhere than in a nano-thread. */
static inline sg_nt *sg_nt_self(void) {
    uintptr_t sp;
#if defined(__x86_64__)
    __asm__("mov %%rsp, %0" : "=r"(sp));
#elif defined(__aarch64__)
    __asm__("mov %0, sp" : "=r"(sp));
#else
    sp = (uintptr_t)__builtin_frame_address(0);
#endif
    return *(sg_nt **)((sp | sg_nt_mask) + 1 - sizeof(sg_nt *));
}

#ifdef __cplusplus
}
#endif
