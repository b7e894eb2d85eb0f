// SPDX-License-Identifier: MIT
// error: 6:28: the condition of cilk_for must compare the loop variable by <, <=, >, >= or !=
#include <cilk/cilk.h>

void f(int *a, int n) {
    cilk_for (int i = 0; i == n; i++) {
        a[i] = 0;
    }
}
