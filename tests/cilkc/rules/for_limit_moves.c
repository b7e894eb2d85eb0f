// SPDX-License-Identifier: MIT
// error: 6:30: the limit of cilk_for must not depend on the loop variable
#include <cilk/cilk.h>

void f(int *a, int n) {
    cilk_for (int i = 0; i < n - i; i++) {
        a[i] = 0;
    }
}
