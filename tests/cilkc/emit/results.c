// SPDX-License-Identifier: MIT
// Where results go: other types, elements, members, globals, through operators; and ways out.
#include <cilk/cilk.h>

#include <stdio.h>

static int fib(int n) {
    int x, y;
    if (n < 2) {
        return n;
    } else {
        x = cilk_spawn fib(n - 1);
        y = cilk_spawn fib(n - 2);
        cilk_sync;
        return x + y;
    }
}

struct record {
    short small;
    double wide;
    struct {
        unsigned char byte;
    } inner;
};

static int global_result;
static int (*const through)(int) = fib;

static double converted(int n) {
    double d = cilk_spawn fib(n);
    unsigned char c;
    c = cilk_spawn fib(n + 4);
    short s = 3;
    s += (short)n;
    cilk_sync;
    return d + c * 1000 + s;
}

static long elements(int n, struct record *out, long *values) {
    struct record local = {1, 2.5, {3}};
    for (int i = 0; i < n; ++i)
        values[i] = cilk_spawn fib(i);
    out->wide = cilk_spawn fib(n);
    out->inner.byte = cilk_spawn fib(n - 1);
    local.small = cilk_spawn fib(n + 1);
    global_result = cilk_spawn through(n + 2);
    int i = 2;
    values[n + i++] = cilk_spawn fib(3);
    cilk_sync;
    return local.small + (long)local.wide + i;
}

// Calls of functions that spawn, in and out of the places where a clone can be suspended.
static int calls(int n) {
    int a = fib(n), b = fib(a % 5) + fib(3);
    int values[3] = {fib(2), 0, 1};
    a += fib(b % 6);
    values[1] = fib(4);
    values[fib(3)] -= fib(5);
    if (fib(n) > 3)
        fib(2);
    else
        a = 0;
    switch (fib(3)) {
    case 2:
        b += fib(4);
        break;
    default:
        b = fib(1);
    }
    cilk_spawn fib(n);
    while (fib(a % 4) > n)
        --a;
    cilk_sync;
    return a * 100 + b + values[0] + values[1] * 7 + values[2];
}

static int tail(int n) {
    if (n > 4)
        return tail(n - 1);
    cilk_spawn fib(n);
    return fib(n + 1);
}

// Loops, switch and goto around spawns.
static long wanders(int n) {
    long sum = 0;
    int x = 0, i = 0;
again:
    switch (n % 4) {
    case 0:
        x = cilk_spawn fib(n);
        __attribute__((fallthrough));
    case 1: {
        int y = cilk_spawn fib(n + 1);
        if (n > 12)
            goto out;
        cilk_sync;
        sum += x + y;
        break;
    }
    case 2:
        for (;; ++i) {
            if (i % 3 == 0)
                continue;
            if (i > 7)
                break;
            cilk_spawn fib(i);
            do {
                x = cilk_spawn fib(i);
                cilk_sync;
                sum += x;
            } while (x-- > 5 && i < 0);
        }
        break;
    default:
        cilk_sync;
        sum *= 3;
    }
    if (++n < 20)
        goto again;
out:
    cilk_sync;
    return sum;
}

static void nothing(int n, int *out) {
    int a = 0;
    if (n == 0)
        return;
    cilk_spawn nothing(n - 1, out);
    a = fib(n);
    cilk_sync;
    *out += a;
}

int main(void) {
    struct record out = {0};
    long values[20];
    int sum = 0;
    printf("%d %.1f\n", fib(15), converted(10));
    long small = elements(10, &out, values);
    printf("%ld %.1f %d %d %ld %ld\n", small, out.wide, out.inner.byte, global_result, values[9],
           values[12]);
    printf("%d %d\n", calls(6), tail(9));
    printf("%ld\n", wanders(4));
    nothing(8, &sum);
    printf("%d\n", sum);
    return 0;
}

/* Output:
610 121068.0
94 55.0 34 144 34 2
1125 5
1148
54
*/
