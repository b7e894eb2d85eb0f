// SPDX-License-Identifier: MIT
// Cilk in a library that also has plain C.
#include <cilk/cilk.h>

int spawning(int depth);

int spawning(int depth) {
    if (depth == 0)
        return 1;
    int x = cilk_spawn spawning(depth - 1);
    int y = spawning(depth - 1);
    cilk_sync;
    return x + y;
}
