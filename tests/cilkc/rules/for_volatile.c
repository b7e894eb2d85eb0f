// SPDX-License-Identifier: MIT
// error: 6:28: the loop variable of cilk_for must be an ordinary variable: each iteration has its own copy
#include <cilk/cilk.h>

void f(int *a, int n) {
    cilk_for (volatile int i = 0; i < n; i++) {
        a[i] = 0;
    }
}
