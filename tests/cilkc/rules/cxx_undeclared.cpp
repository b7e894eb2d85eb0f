// SPDX-License-Identifier: MIT
// error: 6:24: use of undeclared identifier 'unknown'
#include <cilk/cilk.h>

int f(int n) {
    int x = cilk_spawn unknown(n);
    cilk_sync;
    return x;
}
