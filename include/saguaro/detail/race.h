/* SPDX-License-Identifier: MIT */
/*
 * What the constructs tell the race detector, in the order of the serial run and on one thread: for
 * the headers, with SG_RACE. src/race/README.md says what the detector makes of it.
 */
#pragma once

#include "saguaro/race.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Around a spawned child, or an iteration of a loop. Nothing but the call of the child's function,
 * out of line, lies between the two. `spawned_at`: an address in the code that spawns. `stack`:
 * what lies below it on the native stack is dead when the child has ended. */
void sg_race_begin_child(const void *spawned_at);
void sg_race_end_child(const void *stack);

/* Around what may spawn and syncs at its end: a function, a scope, a loop. */
void sg_race_begin_call(void);
void sg_race_end_call(void);

/* All children of the call have ended. */
void sg_race_sync(void);

#ifdef __cplusplus
}
#endif
