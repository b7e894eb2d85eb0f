// SPDX-License-Identifier: MIT
// error: 8:13: return out of a spawned block
#include <cilk/cilk.h>

int f(int n) {
    cilk_spawn {
        if (n)
            return 1;
    }
    cilk_sync;
    return 0;
}
