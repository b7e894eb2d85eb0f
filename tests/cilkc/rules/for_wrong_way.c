// SPDX-License-Identifier: MIT
// error: 6:34: cilk_for counts away from its limit
#include <cilk/cilk.h>

void f(int *a, int n) {
    cilk_for (int i = 0; i < n; i--) {
        a[i] = 0;
    }
}
