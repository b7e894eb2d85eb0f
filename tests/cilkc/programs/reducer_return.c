// SPDX-License-Identifier: MIT
// Functions with a reducer, with variables that must not move, and with a result.
#include <cilk/cilk.h>
#include <stdio.h>

struct pair {
    long first, last;
};

static void zero(void *view) {
    *(long *)view = 0;
}

static void add(void *left, void *right) {
    *(long *)left += *(long *)right;
}

static void store(long *to, long value) {
    *to = value;
}

static long total(int n) {
    long cilk_reducer(zero, add) sum = 0;
    long parts[3] = {0, 0, 0};
    if (n == 0) {
        return -1;
    }
    cilk_spawn store(&parts[0], n);
    cilk_spawn store(&parts[1], 2 * n);
    store(&parts[2], 3 * n);
    cilk_sync;
    cilk_for (int i = 0; i < n; i++) {
        sum += parts[i % 3];
    }
    return sum;
}

static struct pair ends(int n) {
    long cilk_reducer(zero, add) calls = 0;
    struct pair p = {0, 0};
    cilk_spawn store(&p.first, n);
    store(&p.last, n + 1);
    calls++;
    cilk_sync;
    p.last += calls;
    return p;
}

int main(void) {
    for (int n = 0; n < 8; n++) {
        const struct pair p = ends(n);
        printf("%ld %ld %ld\n", total(n), p.first, p.last);
    }
    return 0;
}
