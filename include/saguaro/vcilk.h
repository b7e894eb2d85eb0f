/* SPDX-License-Identifier: MIT */
/*
 * VCilk: Cilk's spawn and sync as a plug-in of vms.h.
 *
 * It shows what Cilk means, in a few lines, and costs what a virtual processor for each spawn
 * costs, some tens of nanoseconds and a visit of the Master; programs that are to be fast use
 * cilk_abi.h or saguaro.hpp, where a spawn costs a nanosecond.
 *
 * Each function takes the VP that calls it (`me`), and may be called by that VP only, of an
 * instance that sg_vcilk_run began.
 */
#pragma once

#include "saguaro/vms.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Runs function(argument, vp) and returns when it has, with all that it spawned: sg_vms_run with
 * this plug-in, and the same options and errors. */
int sg_vcilk_run(const sg_vms_options *options, sg_vms_function function, void *argument);

/* Makes a child that runs function(argument, child), at the latest in the next sync; the caller
 * goes on. The child may read and write what the argument points to until then. A core takes the
 * child that was spawned last, so that with P cores at most P times the depth of the spawns have a
 * stack. */
void sg_vcilk_spawn(sg_vms_function function, void *argument, sg_vp *me);

/* Waits until all that the caller has spawned has returned, and what they wrote is visible. A
 * function syncs by itself when it returns. Costs nothing if there was no spawn since the last. */
void sg_vcilk_sync(sg_vp *me);

#ifdef __cplusplus
}
#endif
