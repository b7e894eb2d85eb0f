// SPDX-License-Identifier: MIT
// error: 6:1: '#pragma cilk grainsize' must stand right before a cilk_for
#include <cilk/cilk.h>

void f(int *a, int n) {
#pragma cilk grainsize = 4
    for (int i = 0; i < n; i++)
        a[i] = 0;
    cilk_for (int i = 0; i < n; i++)
        a[i] = 1;
}
