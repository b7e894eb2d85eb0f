// SPDX-License-Identifier: MIT
// error: 6:13: cilk_spawn must be followed by the call of a function or by a block
#include <cilk/cilk.h>

int f(int n) {
    int x = cilk_spawn n;
    cilk_sync;
    return x;
}
