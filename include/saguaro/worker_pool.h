/* SPDX-License-Identifier: MIT */
/*
 * A supervised pool of worker processes, for C: jobs that may crash, hang or take all memory.
 *
 * Each worker is a space (spmc.h), a process with a copy of the caller's memory. The workers take
 * the jobs in their order, and the caller gets the results in the same order. If a worker ends in
 * the middle of a job, exceeds a limit, or is killed, another one takes its place and runs that job
 * again. So the caller gets the same results whatever has died, as long as a job's result depends
 * on the job alone. docs/worker-pool.md tells more.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* All zeros are the defaults. */
typedef struct sg_worker_pool_options {
    unsigned workers;      /* 0: one for each processor that the program may use; up to 4096 */
    unsigned attempts;     /* how often a job may begin before it counts as failed; 0: 3 */
    uint64_t time_limit;   /* of one attempt, in ns; 0: none. Kept to 10 ms */
    uint64_t memory_limit; /* bytes that a worker may take of private memory beside what it has
                              from the caller; 0: none. Looked at every 10 ms */
} sg_worker_pool_options;

/* What a job's result is written to. */
typedef struct sg_job_result sg_job_result;

/* Adds bytes to a job's result, in the worker that computes it. Copies them. */
void sg_job_result_append(sg_job_result *to, const void *data, size_t size);

/* Computes job number `job` in a worker, and appends its result, any number of bytes. Returns 0; or
 * another number if the job fails, and the result is the text that says why. A job that fails is
 * not begun again, since it would fail again. The same for an exception that leaves the function.
 */
typedef int sg_job_function(void *context, size_t job, sg_job_result *result);

/* Takes the result of a job, in the caller. `error` is null, or, if there is no result, a line that
 * names the job and why it has failed: "job 7: signal 11 (Segmentation fault), in 3 attempts".
 * Result and line stay until the function returns. Returns 0; another number ends the run. It may
 * throw, which ends the run as well. */
typedef int sg_job_taker(void *context, size_t job, const void *result, size_t size,
                         const char *error);

/* Runs jobs 0 to jobs - 1 in workers, which are begun now, and calls take(context, ...) for each in
 * this order. Returns when all were taken and the workers have ended. A worker runs ahead of the
 * job that is to be taken next by 256 results at most, and by 1 MB or one result; one that replaces
 * another by 16 results and 64 KB more.
 *
 * What compute(context, ...) reads beside the job should not change while the pool runs: a worker
 * has a copy of the caller's memory as it was when the worker began, and one that replaces another
 * begins later. What a worker changes, it changes in its own memory.
 *
 * Stores in *restarts, unless that is null, how many workers have replaced others, also where
 * take() throws. Returns 0; ECANCELED if take() has ended the run; or, after a line, EINVAL for a
 * null pointer or an option out of range, ENOMEM or EAGAIN where the system refuses memory or any
 * worker, and ECHILD if workers end again and again without having begun a job. From any thread of
 * any space; several pools may run at once. 200 µs for each worker, and 1 µs for each job. */
int sg_worker_pool_run(const sg_worker_pool_options *options, size_t jobs, sg_job_function *compute,
                       sg_job_taker *take, void *context, size_t *restarts);

/* ---- Jobs that come one by one ---- */

/* A pool whose jobs are given while it runs, as bytes, and whose workers stay until it is freed:
 * for a program that has a loop of its own, or is an interpreter. Python's saguaro.Pool is made of
 * it. */
typedef struct sg_job_stream sg_job_stream;

/* Computes a job from its `size` bytes, which stay until it returns, and appends its result.
 * Returns 0; SG_JOB_NEEDS_NEW_WORKER; or another number if the job fails, and the result is the
 * text that says why. */
typedef int sg_given_job_function(void *context, const void *data, size_t size,
                                  sg_job_result *result);

/* The worker ends, and one that begins now, with a copy of the caller's memory as it is now, begins
 * the job. No attempt is counted; after 1000 in a row the stream ends with ECHILD. */
#define SG_JOB_NEEDS_NEW_WORKER (-1)

/* What an interpreter must do around a fork, in the thread that forks. For Python these are
 * PyGILState_Ensure, PyOS_BeforeFork, PyOS_AfterFork_Parent, PyOS_AfterFork_Child and
 * PyGILState_Release: the thread then waits, and computes, without the interpreter's lock. */
typedef struct sg_interpreter {
    int (*enter)(void);
    void (*before_fork)(void);
    void (*in_parent)(void);
    void (*in_child)(void);
    void (*leave)(int entered);
} sg_interpreter;

typedef struct sg_job_stream_functions {
    sg_given_job_function *compute;
    void (*begin)(void *context); /* called in each worker before its first job; or null */
    void *context;
    const sg_interpreter *interpreter; /* or null; copied */
} sg_job_stream_functions;

/* What has come of a job. Result and cause stay until the next sg_job_stream_next. */
typedef struct sg_job_end {
    size_t job; /* the number of the job, from 0 in the order in which they were given */
    const void *result;
    size_t size;
    const char *error; /* null, or why there is no result: "signal 11 (Segmentation fault), in 3
                          attempts" */
} sg_job_end;

/* Opens a stream; no worker begins before there is a job for it. Returns null with errno: EINVAL
 * after a line, ENOMEM, or why the system refuses a file in memory. */
sg_job_stream *sg_job_stream_open(const sg_worker_pool_options *options,
                                  const sg_job_stream_functions *functions);

/* Gives a copy of a job, which may begin `attempts` times; 0: as the options say. Returns 0; EAGAIN
 * while 65536 jobs have no result that was taken; or why the system refuses memory. From one thread
 * at a time, also while another one is in one of the functions below. 3 µs. */
int sg_job_stream_give(sg_job_stream *stream, const void *data, size_t size, unsigned attempts);

/* Waits for the end of a job, any that has none yet, for `wait_ns` at most, and replaces workers
 * meanwhile. Returns 0; ETIMEDOUT; EINTR after sg_job_stream_wake; or, after a line, EAGAIN, ENOMEM
 * or ECHILD, as sg_worker_pool_run. Always from one thread: the workers are its children, which the
 * system ends when that thread ends. */
int sg_job_stream_next(sg_job_stream *stream, uint64_t wait_ns, sg_job_end *end);

/* sg_job_stream_next returns EINTR, now or when it is called next. From any thread. */
void sg_job_stream_wake(sg_job_stream *stream);

/* How many workers have replaced others. */
size_t sg_job_stream_restarts(const sg_job_stream *stream);

/* Ends the workers: where each job's end was taken, they return from their loop, and flush what C's
 * streams hold; others are killed. Nothing for null. No other thread uses the stream. */
void sg_job_stream_free(sg_job_stream *stream);

#ifdef __cplusplus
}
#endif
