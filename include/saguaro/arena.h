/* SPDX-License-Identifier: MIT */
/*
 * Regions of a program in which at most so many threads work at once, or those of a node of memory,
 * before or after the rest of the program, for C. arena.hpp is for C++.
 */
#pragma once

#include "saguaro/detail/race_names.h"

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct sg_arena sg_arena;

/* Makes an arena for at most `workers` threads, 1 or more. A number that is not below sg_workers()
 * is no limit. Null, with the reason in errno: EINVAL, and a line on standard error, for 0; ENOMEM.
 * Any thread may call it, before the workers are started as well. It costs 64 bytes, which are used
 * again for other arenas, and some 10 ns. */
sg_arena *sg_arena_create(unsigned workers);

/* The same where the arena has a node, a priority, or both. EINVAL and a line also for a node that
 * is not among sg_arena_nodes(), and for another priority.
 *
 * `node`: of the workers only those of this node of memory take part, beside the threads that call,
 * wherever these run. A worker belongs to the node where its thread began to work last: that of its
 * processor, where the runtime has given it one. If SAGUARO_TOPOLOGY describes a machine, it
 * belongs to the node where it is thought. A thread that takes the place of one that waits in a
 * blocking scope (blocking.h) helps on each node, and goes there. Where there is no such worker the
 * thread that calls works alone. SG_ANY_NODE: all workers.
 *
 * `priority`: a worker that looks for work takes what belongs to an arena of higher priority first,
 * wherever it lies; what is in no arena is SG_PRIORITY_NORMAL. It finishes what it has begun, and
 * what that has spawned and no other worker has taken: nothing is interrupted. Work of lower
 * priority may wait as long as there is other work to take. With one worker the order stays the
 * serial one. While calls in arenas of another priority than SG_PRIORITY_NORMAL are under way, a
 * worker that looks for work looks at all workers each time. */
#define SG_ANY_NODE (-1)
#define SG_PRIORITY_LOW (-1)
#define SG_PRIORITY_NORMAL 0
#define SG_PRIORITY_HIGH 1
sg_arena *sg_arena_create_for(unsigned workers, int node, int priority);

/* Writes the numbers of the first `room` nodes that an arena may name, ascending, and returns how
 * many nodes there are; 0: there is no memory to find out. They are the nodes that take part
 * (place.h), or, with SAGUARO_TOPOLOGY, the nodes of the machine that it describes. */
size_t sg_arena_nodes(int *nodes, size_t room);

/* Calls function(argument) in the arena as sg_isolate does, and returns on the calling thread when
 * it has returned: until then the thread works for this call only, and for calls inside it. What
 * the function spawns belongs to the arena as well.
 *
 * At most as many threads as the arena has places work in it at the same time. The calling thread
 * takes a place until this returns, also while it waits, or waits in a blocking scope. It always
 * begins at once: threads that call while all places are taken share the processors, and no other
 * thread takes part then. A worker that takes part when a caller comes for whom there is no place
 * leaves when what it does ends or waits; until then one more works there. A thread has one place
 * in an arena, however often it has called there.
 *
 * Arenas nest as one likes. A call inside another arena counts for its own arena only, and may have
 * more threads than the one around it. For reducers, pedigrees and cancellation the function is a
 * part of the calling task. It must not wait for tasks that began outside of it.
 *
 * Any thread may call it, outside of a run (some 0.1 us) or in one (some 0.2 us, and one worker
 * more). In a monoid's function, in the child of a fork, and while each spawn is observed, it is a
 * plain call. Ends the program with one line if `arena` is null or destroyed, or if there is no
 * memory or no stack; in a blocking scope as well. */
void sg_arena_run(sg_arena *arena, void (*function)(void *argument), void *argument)
    SG_BY_DETECTOR("arena_run");

/* For how many threads it was made. */
unsigned sg_arena_workers(const sg_arena *arena);

/* Its node, or SG_ANY_NODE; its priority. */
int sg_arena_node(const sg_arena *arena);
int sg_arena_priority(const sg_arena *arena);

/* Ends the arena; null: nothing. Any thread may call it, once all calls in the arena have returned:
 * while one has not, or when the arena is destroyed already, the process ends with one line and
 * SIGABRT. */
void sg_arena_destroy(sg_arena *arena);

#ifdef __cplusplus
}
#endif
