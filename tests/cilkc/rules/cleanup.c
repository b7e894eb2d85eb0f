// SPDX-License-Identifier: MIT
// error: 17:39: cleanup of a variable in a block that spawns: the block may end in another function
// error: 27:43: cleanup of a variable in a block that spawns: the block may end in another function
#include <cilk/cilk.h>

static void end(int *n) {
    *n = 0;
}

static int f(int n) {
    int x = cilk_spawn f(n - 1);
    cilk_sync;
    return x;
}

int spawns(int n) {
    int __attribute__((cleanup(end))) guard = n;
    int x = cilk_spawn f(n);
    cilk_sync;
    return x + guard;
}

int calls(int n) {
    int x = cilk_spawn f(n);
    cilk_sync;
    {
        int __attribute__((cleanup(end))) guard = n;
        x += guard;
        f(n);
    }
    return x;
}
