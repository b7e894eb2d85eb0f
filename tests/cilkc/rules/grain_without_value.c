// SPDX-License-Identifier: MIT
// error: 6:1: '#pragma cilk grainsize' needs a value: '#pragma cilk grainsize = expression'
#include <cilk/cilk.h>

void f(int *a, int n) {
#pragma cilk grainsize =
    cilk_for (int i = 0; i < n; i++)
        a[i] = 1;
}
