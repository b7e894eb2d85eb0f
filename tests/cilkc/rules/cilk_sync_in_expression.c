// SPDX-License-Identifier: MIT
// error: 9:10: cilk_sync in an expression: it is a statement of its own
#include <cilk/cilk.h>

void g(int n);

void f(int n) {
    cilk_spawn g(n);
    n = (cilk_sync, 3);
    g(n);
}
