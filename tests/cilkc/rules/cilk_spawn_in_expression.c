// SPDX-License-Identifier: MIT
// error: 8:18: cilk_spawn in an expression: it may only be a statement, or the whole right side of an assignment or initialization
#include <cilk/cilk.h>

int g(int n);

int f(int n) {
    int x = 2 * (cilk_spawn g(n));
    cilk_sync;
    return x;
}
