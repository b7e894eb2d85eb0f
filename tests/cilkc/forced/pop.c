// SPDX-License-Identifier: MIT
// A child that has ended waits until its parent is stolen; sometimes it then lets the thief run on,
// so that the parent comes to its sync first, sometimes it is there before it. In C++ it may wait
// where it begins, so that its parent runs first. Which, is drawn from FORCED_SEED of the
// environment. The oldest frame of a stack alone can be stolen, and thieves may be busy: no child
// waits longer than `patience`, and after `most_waits` none waits at all.
#include <saguaro/cilk_abi.h>

#include <stdatomic.h>
#include <stdlib.h>
#include <time.h>

enum { most_waits = 150, patience = 700000, head_start = 200000 }; // the times in nanoseconds

void sg_test_before_pop(sg_deque *deque, sg_frame **tail);
void sg_test_after_push(sg_deque *deque, sg_frame **tail);
void sg_test_before_end(void *exc, const void *slot);
void sg_test_after_publication(void *exc, const void *slot);

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
static int is_above(void *exc, const void *slot) {
    return (const char *)__atomic_load_n((void **)exc, __ATOMIC_ACQUIRE) > (const char *)slot;
}

// Waits until `exc` says that the frame or flow in `slot` is stolen.
static void wait_for_thief(unsigned drawn, void *exc, const void *slot) {
    static atomic_int waits;
    // Relaxed: a count.
    if (atomic_fetch_add_explicit(&waits, 1, memory_order_relaxed) >= most_waits)
        return;
    const long long end = now() + patience;
    while (!is_above(exc, slot) && now() < end) {
        sg_wake();
        sleep_a_little();
    }
    if (is_above(exc, slot) && drawn / 4 % 2 == 0) {
        const long long later = now() + head_start;
        while (now() < later)
            sleep_a_little();
    }
}

// Where a child ends.
static void before_end(void *exc, const void *slot) {
    const unsigned drawn = draw();
    if (drawn % 4 != 0)
        wait_for_thief(drawn, exc, slot);
}

// Where a child has its arguments: what comes first, the child or its parent, is then open.
static void after_begin(void *exc, const void *slot) {
    const unsigned drawn = draw();
    if (drawn % 4 == 0)
        wait_for_thief(drawn, exc, slot);
}

void sg_test_before_pop(sg_deque *deque, sg_frame **tail) {
    before_end(&deque->exc, tail);
}

void sg_test_after_push(sg_deque *deque, sg_frame **tail) {
    after_begin(&deque->exc, tail);
}

void sg_test_before_end(void *exc, const void *slot) {
    before_end(exc, slot);
}

void sg_test_after_publication(void *exc, const void *slot) {
    after_begin(exc, slot);
}
