// SPDX-License-Identifier: MIT
// error: 6:22: the loop variable of cilk_for must be an integer or a pointer, not 'double'
#include <cilk/cilk.h>

void f(int *a, int n) {
    cilk_for (double i = 0; i < n; i++) {
        a[(int)i] = 0;
    }
}
