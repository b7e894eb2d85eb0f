// SPDX-License-Identifier: MIT
// error: 6:34: the increment of cilk_for must be ++, --, += or -= of the loop variable 'i', or an assignment such as i = i + step
#include <cilk/cilk.h>

void f(int *a, int n) {
    cilk_for (int i = 0; i < n; n--) {
        a[i] = 0;
    }
}
