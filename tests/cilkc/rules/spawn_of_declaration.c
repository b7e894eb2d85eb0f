// SPDX-License-Identifier: MIT
// error: 9:20: cilk_spawn before a declaration: spawn its value, 'T x = cilk_spawn f();', or assign to it in a statement
// error: 10:21: cilk_spawn before a declaration: spawn its value, 'T x = cilk_spawn f();', or assign to it in a statement
#include <cilk/cilk.h>

int *g(int n);

int f(int n) {
    cilk_spawn int x = n, y = 3;
    cilk_spawn int *z = g(n);
    cilk_sync;
    return x + y + *z;
}
