// SPDX-License-Identifier: MIT
// Where children are waited for: the ends of functions, try blocks, cilk_scopes, lambdas and loops'
// bodies; where spawns stand in control flow.
#include <cilk/cilk.h>
#include <cstdio>
#include <vector>

static void put(int *to, int value) {
    for (volatile int i = 0; i < 5000; i = i + 1) {
    }
    *to = value;
}

struct watcher {
    const int *watched;
    int *saw;
    ~watcher() { *saw = 1; }
};

// Locals without a destructor are there until the children have ended.
static int no_sync(int *out) {
    int a[64];
    for (int i = 0; i < 64; ++i)
        cilk_spawn put(&a[i], i);
    cilk_spawn put(out, 5);
    return 1;
}

static int sum(const int *a, int n) {
    int all = 0;
    for (int i = 0; i < n; ++i)
        all += a[i];
    return all;
}

static void scopes() {
    int a[10] = {};
    cilk_scope {
        for (int i = 0; i < 10; ++i)
            cilk_spawn put(&a[i], i);
    }
    std::printf("%d", sum(a, 10));
    cilk_scope for (int i = 0; i < 10; ++i) cilk_spawn put(&a[i], 2 * i);
    std::printf(" %d", sum(a, 10));
    int outer = 0;
    cilk_spawn put(&outer, 1);
    cilk_scope {
        cilk_spawn put(&a[0], 100);
        cilk_sync;
        a[1] = a[0];
        cilk_scope {
            cilk_spawn put(&a[2], 7);
        }
        a[3] = a[2];
    }
    cilk_sync;
    std::printf(" %d %d", sum(a, 10), outer);
    cilk_scope {
        int unused = 3;
        (void)unused;
    }
    try {
        cilk_spawn put(&a[4], 1000);
    } catch (...) {
    }
    std::printf(" %d", a[4]);
    // The children of before a try block have ended when it begins.
    int first = 0;
    cilk_spawn put(&first, 9);
    try {
        int seen = first;
        cilk_spawn put(&a[5], seen);
        cilk_sync;
    } catch (int) {
    }
    std::printf(" %d\n", a[5]);
}

static int control(int n, bool yes) {
    int a = 0, b = 0, c = 0, d = 0, e[8] = {};
    if (yes)
        cilk_spawn put(&a, 1);
    else
        cilk_spawn put(&b, 2);
    if (!yes) {
        n += 0;
    } else
        c = cilk_spawn sum(&n, 1);
    while (d == 0) {
        cilk_spawn put(&e[0], 1);
        d = 1;
    }
    do
        cilk_spawn put(&e[1], 1);
    while (false);
    switch (n) {
    case 5:
        cilk_spawn put(&e[2], 5);
        break;
    default:
        cilk_spawn put(&e[3], 1);
    }
    for (int i : {4, 5})
        cilk_spawn put(&e[i], i);
    goto further;
further:
    cilk_spawn put(&e[6], 1);
    cilk_sync;
    if (n > 100) {
        cilk_spawn put(&e[7], 1);
        return -1;
    }
    return a + b + c + sum(e, 8);
}

// What leaves before the sync leaves the function.
static int leaves(int n) {
    int a = 0;
    for (int i = 0; i < 10; ++i) {
        int b = 0;
        cilk_spawn put(&a, n);
        if (n == 1)
            return 100;
        b = 2;
        if (n == 2)
            break;
        if (n == 3)
            continue;
        cilk_sync;
        return a + b;
    }
    return -n;
}

static int only_sync(int n) {
    cilk_sync;
    if (n > 1)
        cilk_sync;
    return n;
}

int main() {
    int out = 0;
    int one = no_sync(&out);
    std::printf("%d %d\n", one, out);
    scopes();
    std::printf("%d %d %d %d\n", control(5, true), control(4, false), control(101, true),
                only_sync(2));
    std::printf("%d %d %d %d\n", leaves(1), leaves(2), leaves(3), leaves(4));
    int a[8] = {};
    [&] {
        for (int i = 0; i < 8; ++i)
            cilk_spawn put(&a[i], i);
    }();
    std::printf("%d\n", sum(a, 8));
    cilk_for (int i = 0; i < 8; ++i) {
        int b[2];
        cilk_spawn put(&b[0], i);
        cilk_spawn put(&b[1], i);
        cilk_sync;
        a[i] = b[0] + b[1];
        cilk_spawn put(&a[i], a[i] + 1);
    }
    std::printf("%d\n", sum(a, 8));
    int seen = 0;
    {
        watcher w = {&out, &seen};
        cilk_spawn put(&out, 6);
        cilk_sync;
    }
    std::printf("%d %d\n", out, seen);
    return 0;
}

/* Output:
1 5
45 90 292 1 1000 9
23 15 -1 2
100 -2 -3 6
28
64
6 1
*/
