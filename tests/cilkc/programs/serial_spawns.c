// SPDX-License-Identifier: MIT
// Functions whose spawns stand right before their syncs, and call no function that spawns: they are
// as serial as plain C. Spawned and called by functions that do spawn.
#include <alloca.h>
#include <cilk/cilk.h>
#include <stdio.h>

static long odd(long n);

long fib(long n) {
    if (n < 2)
        return n;
    long x = fib(n - 1);
    long y = cilk_spawn fib(n - 2);
    cilk_sync;
    return x + y;
}

static long even(long n) {
    static const long at_zero = 1;
    long left[2] = {n, 0}, *p = left;
    if (n == 0)
        return at_zero;
    cilk_scope {
        p[1] = cilk_spawn odd(n - 1);
    }
    return left[1];
}

static long odd(long n) {
    char *more = alloca(2);
    more[1] = (char)n;
    if (n == 0)
        return 0;
    long x;
    cilk_spawn {
        x = even(more[1] - 1);
    }
    cilk_sync;
    return x;
}

// One that spawns is called by one whose own spawn is a call: this one may be left.
static long forks(long n) {
    if (n < 2)
        return n;
    long x = cilk_spawn forks(n - 1);
    long y = forks(n - 2);
    cilk_sync;
    return x + y;
}

static long calls_forks(long n) {
    long z = cilk_spawn forks(n);
    cilk_sync;
    return z + fib(3);
}

static void fill(long *a, int n) {
    cilk_for (int i = 0; i < n; i++)
        a[i] = fib(i);
    cilk_spawn fib(0);
    cilk_sync;
}

int main(void) {
    long filled[10], sums[4] = {0};
    for (int i = 0; i < 100; i++) {
        sums[0] += cilk_spawn fib(i % 10);
        long x = cilk_spawn even(i), y = odd(i);
        cilk_spawn { sums[1] += calls_forks(10); }
        fill(filled, 10);
        long w = calls_forks(5);
        cilk_sync;
        sums[1] += w;
        sums[2] += filled[9] + x;
        sums[3] += y;
    }
    printf("%ld %ld %ld %ld\n", sums[0], sums[1], sums[2], sums[3]);
    return 0;
}

/* Output:
880 6400 3450 50
*/
