// SPDX-License-Identifier: MIT
// A child that has ended waits until its parent is stolen; sometimes it then lets the thief run on,
// so that the parent comes to its sync first, sometimes it is there before it. Which, is drawn from
// FORCED_SEED of the environment. The oldest frame of a stack alone can be stolen, and thieves may
// be busy: nobody waits longer than `patience`, and after `most_waits` nobody waits at all.
#include <saguaro/cilk_abi.h>

#include <stdatomic.h>
#include <stdlib.h>
#include <time.h>

enum { most_waits = 150, patience = 700000, head_start = 200000 }; // the times in nanoseconds

void sg_test_before_pop(sg_deque *deque, sg_frame **tail);

static long long now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1000000000LL + t.tv_nsec;
}

static void sleep_a_little(void) {
    const struct timespec t = {0, 20000};
    nanosleep(&t, NULL);
}

// A different number at each call, the same sequence for each seed.
static unsigned draw(void) {
    static atomic_uint calls;
    const char *seed = getenv("FORCED_SEED");
    // Relaxed: nothing but the number is shared.
    unsigned x = atomic_fetch_add_explicit(&calls, 1, memory_order_relaxed) * 2654435761U +
                 (seed != NULL ? (unsigned)atoi(seed) : 0) * 40503U;
    x ^= x >> 15;
    x *= 2246822519U;
    return x ^ x >> 13;
}

// Acquire: as in the runtime's own look at exc after a pop; nothing else is read here.
static int is_stolen(sg_deque *deque, sg_frame **tail) {
    return __atomic_load_n(&deque->exc, __ATOMIC_ACQUIRE) > tail;
}

void sg_test_before_pop(sg_deque *deque, sg_frame **tail) {
    static atomic_int waits;
    const unsigned drawn = draw();
    // Relaxed: a count.
    if (drawn % 4 == 0 || atomic_fetch_add_explicit(&waits, 1, memory_order_relaxed) >= most_waits)
        return;
    const long long end = now() + patience;
    while (!is_stolen(deque, tail) && now() < end) {
        sg_wake();
        sleep_a_little();
    }
    if (is_stolen(deque, tail) && drawn / 4 % 2 == 0) {
        const long long later = now() + head_start;
        while (now() < later)
            sleep_a_little();
    }
}
