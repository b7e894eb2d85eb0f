// SPDX-License-Identifier: MIT
// error: 11:18: cilk_spawn in an expression: it may only be a statement, or the whole right side of an assignment or initialization
// error: 12:14: cilk_spawn in an expression: it may only be a statement, or the whole right side of an assignment or initialization
// error: 14:16: cilk_spawn in an expression: it may only be a statement, or the whole right side of an assignment or initialization
// error: 16:12: cilk_spawn in an expression: it may only be a statement, or the whole right side of an assignment or initialization
#include <cilk/cilk.h>

int g(int n);

int f(int n) {
    int x = 2 * (cilk_spawn g(n));
    for (x = cilk_spawn (n > 0 ? g(1) : g(2)); x < n; x++)
        n--;
    for (; x = cilk_spawn (n > 0 ? g(1) : g(2)); x++)
        n--;
    for (; cilk_spawn x = g(n); x++)
        n--;
    cilk_sync;
    return x;
}
