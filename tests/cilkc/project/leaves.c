// SPDX-License-Identifier: MIT
// A C file with Cilk in it, compiled as a part of a program.
#include <cilk/cilk.h>

int leaves(int depth);

int leaves(int depth) {
    if (depth == 0)
        return 1;
    int x = cilk_spawn leaves(depth - 1);
    int y = leaves(depth - 1);
    cilk_sync;
    return x + y;
}
