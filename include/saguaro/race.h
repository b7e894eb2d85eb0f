/* SPDX-License-Identifier: MIT */
/*
 * What a program tells the race detector about its own memory (docs/race.md). Without SG_RACE the
 * functions do nothing, so a program need not ask which kind it is compiled for. They may be called
 * anywhere in the program's thread.
 */
#pragma once

#include "saguaro/detail/race_names.h"

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

#if SG_RACE

/* The strand that runs reads, or writes, `bytes` bytes there by code that the compiler has not
 * instrumented: assembly, a library. */
void sg_race_read(const void *at, size_t bytes);
void sg_race_write(const void *at, size_t bytes);

/* The program's own allocator gives that memory to its next owner: earlier accesses to it race with
 * none of that one's. */
void sg_race_forget(const void *at, size_t bytes);

/* Accesses between the two are not checked, for races that the program means to have. They nest. */
void sg_race_off(void);
void sg_race_on(void);

#else

static inline void sg_race_read(const void *at, size_t bytes) {
    (void)at;
    (void)bytes;
}
static inline void sg_race_write(const void *at, size_t bytes) {
    (void)at;
    (void)bytes;
}
static inline void sg_race_forget(const void *at, size_t bytes) {
    (void)at;
    (void)bytes;
}
static inline void sg_race_off(void) {}
static inline void sg_race_on(void) {}

#endif

#ifdef __cplusplus
}
#endif
