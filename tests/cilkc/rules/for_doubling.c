// SPDX-License-Identifier: MIT
// error: 6:35: the increment of cilk_for must be ++, --, += or -= of the loop variable 'i', or an assignment such as i = i + step
#include <cilk/cilk.h>

void f(int *a, int n) {
    cilk_for (int i = 1; i < n; i *= 2) {
        a[i] = 0;
    }
}
