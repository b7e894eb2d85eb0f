// SPDX-License-Identifier: MIT
// error: 6:15: cilk_for declares more than one loop variable
#include <cilk/cilk.h>

void f(int *a, int n) {
    cilk_for (int i = 0, j = 0; i < n; i++) {
        a[i] = 0;
    }
}
