// SPDX-License-Identifier: MIT
// error: 8:9: the body of a cilk_for changes its loop variable 'i'
// error: 11:18: the body of a cilk_for changes its loop variable 'i'
#include <cilk/cilk.h>

void f(int *a, int n) {
    cilk_for (int i = 0; i < n; i++) {
        i += a[i];
        for (int j = 0; j < n; j++) {
            if (a[j]) {
                (i)++;
            }
        }
    }
}
