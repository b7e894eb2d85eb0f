/* SPDX-License-Identifier: MIT */
/*
 * What programs tell OpenCilk's race detector, Cilksan. There is none here: these functions do
 * nothing, as with OpenCilk in a program that is compiled without the detector.
 */
#pragma once

#ifndef __cplusplus
#include <stdbool.h>
#endif

static inline void __cilksan_enable_checking(void) {}
static inline void __cilksan_disable_checking(void) {}
static inline bool __cilksan_is_checking_enabled(void) {
    return false;
}

static inline void __cilksan_acquire_lock(const void *mutex) {
    (void)mutex;
}
static inline void __cilksan_release_lock(const void *mutex) {
    (void)mutex;
}
static inline void __cilksan_begin_atomic(void) {}
static inline void __cilksan_end_atomic(void) {}

static inline void __cilksan_register_lock_explicit(const void *mutex) {
    (void)mutex;
}
static inline void __cilksan_unregister_lock_explicit(const void *mutex) {
    (void)mutex;
}

/* A lock for the detector alone, around what needs none. */
typedef struct Cilksan_fake_mutex {
    int fake_mutex;
} Cilksan_fake_mutex;

#ifdef __cplusplus
class Cilksan_fake_lock_guard {
public:
    Cilksan_fake_lock_guard(const void *) {}
    ~Cilksan_fake_lock_guard() {}
};
#endif
