// SPDX-License-Identifier: MIT
// error: 6:35: the step of cilk_for is zero
#include <cilk/cilk.h>

void f(int *a, int n) {
    cilk_for (int i = 0; i < n; i += 0) {
        a[i] = 0;
    }
}
