// SPDX-License-Identifier: MIT
// Functions for which gcc may use instructions that the functions of Saguaro's headers may not:
// their closures are not inlined into those.
#include <cilk/cilk.h>
#include <cstdio>

#if defined(__x86_64__)
#define WIDE __attribute__((target("avx2")))
#else
#define WIDE
#endif

static int next(int n) {
    return n + 1;
}

WIDE static int by_attribute(int n) {
    int of_loop[4];
    for (int i = 0; i < 4; i++)
        of_loop[i] = cilk_spawn next(n + i);
    cilk_sync;
    int x = cilk_spawn next(of_loop[0]);
    int y = next(of_loop[3]);
    cilk_sync;
    return x + y;
}

#pragma GCC push_options
#if defined(__x86_64__)
#pragma GCC   target("avx2")
#endif

static int by_pragma(int n) {
    int x = cilk_spawn next(n);
    int y = next(2 * n);
    cilk_sync;
    return x + y;
}

static int in_loop(int n) {
    int of_loop[4] = {};
    for (int i = 0; i < 4; i++)
        of_loop[i] = cilk_spawn next(n + i);
    cilk_sync;
    cilk_for (int i = 0; i < 4; i++)
        of_loop[i] *= n;
    return of_loop[0] + of_loop[3];
}

template <class T>
static T of_type(T n) {
    T x = cilk_spawn next(n);
    T y = next(3 * n);
    cilk_sync;
    return x + y;
}

#pragma GCC pop_options

static int behind(int n) {
    int x = cilk_spawn next(n);
    int y = next(4 * n);
    cilk_sync;
    return x + y;
}

int main() {
    std::printf("%d %d %d %d %d\n", by_attribute(1), by_pragma(2), in_loop(3), of_type(4),
                behind(5));
}
/* Output:
9 8 33 18 27
*/
