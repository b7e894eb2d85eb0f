// SPDX-License-Identifier: MIT
// error: 6:31: the condition of cilk_for must compare the loop variable 'i'
#include <cilk/cilk.h>

void f(int *a, int n) {
    cilk_for (int i = 0; a[0] < n; i++) {
        a[i] = 0;
    }
}
