// SPDX-License-Identifier: MIT
// error: 6:5: goto into the body of a cilk_for
#include <cilk/cilk.h>

void f(int *a, int n) {
    goto inside;
    cilk_for (int i = 0; i < n; i++) {
    inside:
        a[i] = 0;
    }
}
