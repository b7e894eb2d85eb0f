/* SPDX-License-Identifier: MIT */
/*
 * Work and span of a part of a program, by the names of OpenCilk's Cilkscale:
 *
 *     wsp_t before = wsp_getworkspan();
 *     ...
 *     wsp_dump(wsp_sub(wsp_getworkspan(), before), "part");
 *
 * A program that cilkc compiles with -cilk-profile, or -fcilktool=cilkscale, measures them and
 * defines __cilkscale__. In any other, all values are 0 and wsp_dump prints nothing.
 */
#pragma once

#include <stdint.h>

#ifdef __CILK_PROFILE__
#include <saguaro/detail/cilk_library.h>
#include <saguaro/detail/cilk_profile.h>
#endif

/* Nanoseconds. */
typedef int64_t raw_duration_t;

/* Cilkscale's burdened span adds what steals would cost. Here it is the span. */
typedef struct wsp_t {
    raw_duration_t work;
    raw_duration_t span;
    raw_duration_t bspan;
} wsp_t;

static inline wsp_t wsp_zero(void) {
    wsp_t zero = {0, 0, 0};
    return zero;
}

static inline wsp_t wsp_add(wsp_t left, wsp_t right) {
    wsp_t sum = {left.work + right.work, left.span + right.span, left.bspan + right.bspan};
    return sum;
}

static inline wsp_t wsp_sub(wsp_t left, wsp_t right) {
    wsp_t rest = {left.work - right.work, left.span - right.span, left.bspan - right.bspan};
    return rest;
}

/* What has been measured so far. Only the difference of two calls in one function, with a sync
 * before each, means something: that of what lies between. In a function that does not run in
 * parallel, as `main` without a spawn, it counts the functions with spawns that it calls, and not
 * what it does itself. */
static inline wsp_t wsp_getworkspan(void) {
    wsp_t now = {0, 0, 0};
#ifdef __CILK_PROFILE__
    now.work = sg_profile_work();
    now.span = now.bspan = sg_profile_critical_path();
#endif
    return now;
}

/* Prints a line of comma-separated values: the tag, work and span in seconds, their ratio, and the
 * last two again as burdened. The first line of a program has names above it. They go to the file
 * that CILKSCALE_OUT names, else to standard output. */
static inline void wsp_dump(wsp_t wsp, const char *tag) {
#ifdef __CILK_PROFILE__
    sg_c_print_work(tag, wsp.work, wsp.span, wsp.bspan);
#else
    (void)wsp;
    (void)tag;
#endif
}

#ifdef __cplusplus

#include <ostream>

/* Sums and differences, and "work, span, parallelism" in seconds, as wsp_dump prints them. */
inline wsp_t &operator+=(wsp_t &left, const wsp_t &right) {
    return left = wsp_add(left, right);
}
inline wsp_t &operator-=(wsp_t &left, const wsp_t &right) {
    return left = wsp_sub(left, right);
}
inline wsp_t operator+(wsp_t left, const wsp_t &right) {
    return left += right;
}
inline wsp_t operator-(wsp_t left, const wsp_t &right) {
    return left -= right;
}
inline std::ostream &operator<<(std::ostream &to, const wsp_t &of) {
    return to << static_cast<double>(of.work) / 1e9 << ", " << static_cast<double>(of.span) / 1e9
              << ", "
              << (of.span > 0 ? static_cast<double>(of.work) / static_cast<double>(of.span) : 1.0);
}

#endif
