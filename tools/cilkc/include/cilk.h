/* SPDX-License-Identifier: MIT */
/*
 * MIT Cilk 5.4: what plain C needs to call Cilk procedures, and what .cilk files have without
 * asking.
 *
 *     CilkContext *context = Cilk_init(&argc, argv);
 *     long y = EXPORT(g)(context, 3.14);         for:  cilk long g(double x)
 *     Cilk_terminate(context);
 */
#pragma once

#include <cilk-sysdep.h>
#include <saguaro/detail/cilk_library.h>

#include <stddef.h>
#include <sys/types.h>

/* The language's version, as a number: 5.4.6. */
#ifndef __CILK__
#define __CILK__ 546
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* The name of the function by which C calls the Cilk procedure `f`; it takes the context, then the
 * procedure's arguments. Any thread may call it, also several at once. */
#define EXPORT(f) mt_##f

typedef sg_mit_context CilkContext;

/* Takes the options of the command line that are the runtime's (--nproc, --stats, ...; --help
 * prints them all), and starts the workers. */
static inline CilkContext *Cilk_init(int *argc, char **argv) {
    return sg_mit_init(argc, argv);
}

static inline void Cilk_terminate(CilkContext *context) {
    sg_mit_terminate(context);
}

/* All memory operations before it are visible before any behind it. */
static inline void Cilk_fence(void) {
    CILK_MB();
}

static inline void Cilk_membar_StoreStore(void) {
    CILK_WMB();
}

static inline void Cilk_membar_StoreLoad(void) {
    CILK_MB();
}

/* Times, in the runtime's own unit. */
typedef long long Cilk_time;

static inline Cilk_time Cilk_get_wall_time(void) {
    return sg_mit_wall_time();
}

static inline double Cilk_wall_time_to_sec(Cilk_time time) {
    return (double)time * 1e-9;
}

static inline double Cilk_time_to_sec(Cilk_time time) {
    return (double)time * 1e-9;
}

#ifdef __cplusplus
}
#endif
