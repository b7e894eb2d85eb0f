/* SPDX-License-Identifier: MIT */
/* Work of a known size: so many microseconds of the calling thread's own time. */
#pragma once

#include <time.h>

static long long thread_time(void) {
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return now.tv_sec * 1000000000LL + now.tv_nsec;
}

static void busy(int microseconds) {
    const long long end = thread_time() + microseconds * 1000LL;
    while (thread_time() < end) {
    }
}
