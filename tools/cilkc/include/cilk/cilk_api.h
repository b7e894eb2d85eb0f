/* SPDX-License-Identifier: MIT */
/*
 * What a program asks of the runtime, by the names of Cilk Plus and OpenCilk. The environment's
 * CILK_NWORKERS, or SAGUARO_WORKERS, says how many workers there are; the default is one for each
 * processor that the process may use.
 */
#pragma once

#include <saguaro/cilk_library.h>
#include <saguaro/saguaro.h>

#ifdef __cplusplus
extern "C" {
#endif

enum __cilkrts_set_param_status {
    __CILKRTS_SET_PARAM_SUCCESS = 0,
    __CILKRTS_SET_PARAM_UNIMP = 1,  /* a parameter that does not exist here */
    __CILKRTS_SET_PARAM_XRANGE = 2, /* the value is out of range */
    __CILKRTS_SET_PARAM_INVALID = 3,
    __CILKRTS_SET_PARAM_LATE = 4 /* the workers run already */
};

/* Sets a parameter; before the workers start, or after __cilkrts_end_cilk. "nworkers": a number,
 * decimal, octal (0...) or hexadecimal (0x...), 0 for the default; "stack size": bytes for the
 * frames of one flow. Returns one of the above. */
static inline int __cilkrts_set_param(const char *name, const char *value) {
    return sg_c_set_parameter(name, value);
}

/* Starts the workers; not needed, the first spawn does. Ends the program with a line if the system
 * refuses them. */
static inline void __cilkrts_init(void) {
    sg_c_start();
}

/* Ends the workers, if no parallel computation is under way. */
static inline void __cilkrts_end_cilk(void) {
    sg_stop();
}

/* How many workers there are, or would be. */
static inline int __cilkrts_get_nworkers(void) {
    return (int)sg_c_workers();
}

/* The same: a thread that enters waits, and is no worker. */
static inline int __cilkrts_get_total_workers(void) {
    return (int)sg_c_workers();
}

/* The worker that runs the caller, from 0; outside any, 0. A strand may change its worker at each
 * spawn and sync. */
static inline int __cilkrts_get_worker_number(void) {
    const int worker = sg_worker_id();
    return worker < 0 ? 0 : worker;
}

/* OpenCilk: whether workers have been started; whether the caller runs on one. */
static inline int __cilkrts_is_initialized(void) {
    return sg_c_is_started();
}

static inline int __cilkrts_running_on_workers(void) {
    return sg_worker_id() >= 0;
}

/* Cilk Plus: whether reductions are forced to happen at each sync. They are not. */
static inline int __cilkrts_get_force_reduce(void) {
    return 0;
}

#ifdef __cplusplus
}
#endif
