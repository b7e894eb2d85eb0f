// SPDX-License-Identifier: MIT
// error: 9:17: break out of a spawned block
#include <cilk/cilk.h>

void f(int n) {
    while (n--) {
        cilk_spawn {
            if (n == 3)
                break;
        }
    }
    cilk_sync;
}
