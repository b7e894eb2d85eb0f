// SPDX-License-Identifier: MIT
// error: 6:19: the loop variable of cilk_for has no initial value
#include <cilk/cilk.h>

void f(int *a, int n) {
    cilk_for (int i; i < n; i++) {
        a[i] = 0;
    }
}
