// SPDX-License-Identifier: MIT
// A variable that a child assigns, or that none does after all, across what comes until the sync.
#include <cilk/cilk.h>
#include <stdio.h>

static long fib(long n) {
    if (n < 2)
        return n;
    long x = cilk_spawn fib(n - 1);
    long y = fib(n - 2);
    cilk_sync;
    return x + y;
}

// Both ways to a value meet before the sync.
static long either(long n, int spawns) {
    long x = 1000;
    if (spawns)
        x = cilk_spawn fib(n);
    else
        x += n;
    long y = cilk_spawn fib(n + 1);
    long z = fib(n + 2);
    cilk_spawn fib(3);
    cilk_sync;
    return x * 1000000 + y * 1000 + z;
}

// What a sync has found stays through later spawns, and is assigned again.
static long again(long n) {
    long sum = 0, x = 0;
    for (long i = 0; i < n; i++) {
        cilk_spawn fib(i);
        sum += x;
        if (i % 3 == 0)
            x = cilk_spawn fib(i);
        else
            x++;
        sum += 1000 * fib(i + 1);
        cilk_sync;
        sum += x;
    }
    return sum;
}

struct pair {
    long a, b;
};

static struct pair two(long n) {
    struct pair result = {fib(n), n};
    return result;
}

static long structures(long n) {
    struct pair p = {1, 2};
    if (n > 3)
        p = cilk_spawn two(n);
    long y = fib(n + 1);
    cilk_sync;
    long x = cilk_spawn fib(n);
    y += fib(n);
    cilk_sync;
    return p.a * 100 + p.b + x + y;
}

static int half(int n) {
    return n / 2;
}

// A parameter; and a variable that must be converted to once, and once not.
static long converted(long n, int to) {
    to = cilk_spawn fib(n);
    long y = fib(n + 1);
    cilk_sync;
    to = cilk_spawn half(to);
    n = cilk_spawn fib(n);
    y += fib(4);
    cilk_sync;
    return to + 10 * n + 1000 * y;
}

int main(void) {
    for (int spawns = 0; spawns < 2; spawns++)
        printf("%ld\n", either(9, spawns));
    printf("%ld\n", again(12));
    printf("%ld\n", converted(9, 1));
    printf("%ld %ld\n", structures(3), structures(9));
    return 0;
}

/* Output:
1009055089
34055089
376252
58357
109 3532
*/
