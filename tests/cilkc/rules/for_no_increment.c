// SPDX-License-Identifier: MIT
// error: 6:5: cilk_for has no increment
#include <cilk/cilk.h>

void f(int *a, int n) {
    cilk_for (int i = 0; i < n;) {
        a[i] = 0;
    }
}
