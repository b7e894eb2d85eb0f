// SPDX-License-Identifier: MIT
// error: 6:5: cilk_for needs a loop variable: the first part of its header declares and initializes it
#include <cilk/cilk.h>

void f(int *a, int n) {
    cilk_for (; a[0] < n; a[0]++) {
        a[n] = 0;
    }
}
