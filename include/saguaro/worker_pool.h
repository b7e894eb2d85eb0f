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

#ifdef __cplusplus
}
#endif
