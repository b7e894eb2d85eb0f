// SPDX-License-Identifier: MIT
// error: 8:13: break out of the body of a cilk_for
#include <cilk/cilk.h>

void f(int *a, int n) {
    cilk_for (int i = 0; i < n; i++) {
        if (a[i])
            break;
    }
}
