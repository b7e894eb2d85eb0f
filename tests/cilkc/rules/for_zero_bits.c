// SPDX-License-Identifier: MIT
// error: 6:48: the step of cilk_for is zero in the bits of the loop variable
#include <cilk/cilk.h>

void f(int *a) {
    cilk_for (unsigned char i = 0; i != 200; i += 256) {
        a[i] = 0;
    }
}
