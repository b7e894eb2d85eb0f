// SPDX-License-Identifier: MIT
// error: 6:5: cilk_for has no condition: its number of iterations must be known when it starts
#include <cilk/cilk.h>

void f(int *a, int n) {
    cilk_for (int i = 0;; i++) {
        a[i] = 0;
    }
}
