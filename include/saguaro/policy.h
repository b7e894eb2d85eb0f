/* SPDX-License-Identifier: MIT */
/*
 * Whom thieves try: a policy of the program's own, and what it may go by.
 *
 * A worker without work is a thief; it tries to take some from a victim. SAGUARO_POLICY chooses
 * among the policies that are built in (docs/numa.md). With sg_start_with_policy a program brings
 * another one.
 */
#pragma once

#include <saguaro/saguaro.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Five operations. All but choose_victim may be null. `context` is what the program has put there.
 * None of them may enter the runtime, and none may throw. */
typedef struct sg_policy {
    void *context;

    /* Once, before any worker runs, by the thread that starts them. Worker i is bound to processor
     * cpus[i]; -1: the kernel places it. The array is gone when the function returns. */
    void (*start)(void *context, unsigned workers, const int *cpus);

    /* For each worker, by the thread that will have it: memory that it touches first is near. */
    void (*start_worker)(void *context, unsigned worker);

    /* The worker to try next, or -1 to try nobody now. `failed` tries of this thief have found
     * nothing since the last one that found something. Several workers call it at the same time,
     * but never two threads for the same thief; it is called for each try, so it should take some
     * nanoseconds. The thief itself, or a number that no worker has, ends the program with a line.
     */
    int (*choose_victim)(void *context, unsigned thief, unsigned failed);

    /* For each worker, by its thread, behind its last choice. */
    void (*stop_worker)(void *context, unsigned worker);

    /* Once, when no worker runs any more, by the thread that stops them. */
    void (*stop)(void *context);
} sg_policy;

/* As sg_start, with the program's policy in place of the one that `options` or SAGUARO_POLICY name.
 * `policy` is copied; its context has to stay until the workers have stopped. Returns what sg_start
 * returns, and EINVAL, with a line on stderr, if `policy` or its choose_victim is null. */
int sg_start_with_policy(const sg_options *options, const sg_policy *policy);

/* How far apart two processors of this machine are; or of the one that SAGUARO_TOPOLOGY describes.
 * 0: the same core. 1: the same cache. 2: the same node of memory. More, for processors of
 * different nodes: 2 more than what the firmware's table (ACPI SLIT) says beyond the 10 of the own
 * node; without such a table, 2 more than 10 for each level of the machine. 247: nothing is known
 * of one of them, or neither has a known node and they share no core or cache. The first call reads
 * the machine, which takes some milliseconds; others look it up. Any thread may call it. */
int sg_distance(int cpu_a, int cpu_b);

#ifdef __cplusplus
}
#endif
