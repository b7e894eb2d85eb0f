// SPDX-License-Identifier: MIT
// error: 8:9: a switch jumps into the body of a cilk_for
#include <cilk/cilk.h>

void f(int *a, int n) {
    switch (n) {
        cilk_for (int i = 0; i < n; i++) {
        case 3:
            a[i] = 0;
        }
    }
}
