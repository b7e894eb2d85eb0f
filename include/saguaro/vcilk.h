/* SPDX-License-Identifier: MIT */
/*
 * VCilk: Cilk's spawn and sync as a plug-in of vms.h.
 *
 * It shows in a few lines what spawn and sync mean. A spawn creates a virtual processor, which
 * takes some tens of nanoseconds and a visit of the Master. For fast programs use cilkc or
 * saguaro.hpp, where a spawn takes about a nanosecond.
 *
 * Each function takes the virtual processor (VP) that calls it, `me`. Only that VP may call it, and
 * only in an instance that sg_vcilk_run began; otherwise, and for a null function, the run ends
 * with EINVAL and one line on stderr.
 */
#pragma once

#include "saguaro/detail/race_names.h"
#include "saguaro/vms.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Runs function(argument, vp), and returns when it and all that it spawned have returned. Options
 * and errors are those of sg_vms_run. */
int sg_vcilk_run(const sg_vms_options *options, sg_vms_function function, void *argument)
    SG_NOT_SERIES_PARALLEL("virtual processors");

/* Makes a child that runs function(argument, child), at the latest in the next sync; the caller
 * goes on. Until then the child may read and write what `argument` points to. A core takes the
 * child that was spawned last, so with P cores at most P times the depth of the spawns have a
 * stack. */
void sg_vcilk_spawn(sg_vms_function function, void *argument, sg_vp *me);

/* Waits until all that the caller has spawned has returned; the caller then sees what they wrote. A
 * function syncs by itself when it returns. A sync without a spawn since the last one costs
 * nothing. */
void sg_vcilk_sync(sg_vp *me);

#ifdef __cplusplus
}
#endif
