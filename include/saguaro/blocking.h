/* SPDX-License-Identifier: MIT */
/*
 * Waiting in a task for something outside of the runtime, for C. blocking.hpp is for C++.
 */
#pragma once

#ifdef __cplusplus
extern "C" {
#endif

/* Says that the calling task waits from now on for something that the runtime does not know: a
 * lock, a queue, a file, a future. Another worker takes the processor meanwhile: one that sleeps,
 * or, where there is none, a thread that is made and then kept for the next time, 256 of them at
 * most. It may run anything that can be stolen, the caller's own continuations included.
 *
 * Until sg_blocking_end the task spawns nothing and waits for no task: the process ends with one
 * line and SIGABRT where it does (C code that cilkc has translated: at sg_blocking_end at the
 * latest). Functions that another thread runs, for instance those of std::async, do as they like.
 * Outside of a run nothing happens. The scopes nest; inner ones do nothing.
 *
 * After the end more threads may compute than there are workers, for a millisecond and the rest of
 * the task that runs then. A thread that was made has a worker of its own, whose number is not
 * below sg_workers(). Both functions together cost some 0.1 µs, and 5 µs more if a thread has to be
 * woken. */
void sg_blocking_begin(void);

/* The wait is over; the caller goes on at once. In the task that has called sg_blocking_begin. */
void sg_blocking_end(void);

#ifdef __cplusplus
}
#endif
