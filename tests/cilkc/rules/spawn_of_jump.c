// SPDX-License-Identifier: MIT
// error: 9:9: break out of a spawned block
// error: 12:20: return out of a spawned block
#include <cilk/cilk.h>

int f(int n) {
    while (n > 3)
        cilk_spawn
        break;
    cilk_sync;
    if (n > 0)
        cilk_spawn return 1;
    return 0;
}
