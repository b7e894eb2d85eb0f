// SPDX-License-Identifier: MIT
// error: 8:24: cilk_spawn of 'g', which is not declared
#include <cilk/cilk.h>

int f(int n);

int f(int n) {
    int x = cilk_spawn g(n);
    cilk_sync;
    return x;
}
