// SPDX-License-Identifier: MIT
// error: 9:13: cilk_spawn must be followed by the call of a function or by a block
// error: 10:13: cilk_spawn must be followed by the call of a function or by a block
// error: 11:10: cilk_spawn must be followed by the call of a function or by a block
// error: 12:14: cilk_spawn must be followed by the call of a function or by a block
#include <cilk/cilk.h>

int f(int n, int *a) {
    int x = cilk_spawn n;
    int y = cilk_spawn (n ? f(1, a) : f(2, a));
    x += cilk_spawn (n ? f(1, a) : f(2, a));
    a[x++] = cilk_spawn (n ? f(1, a) : f(2, a));
    cilk_sync;
    return x + y;
}
