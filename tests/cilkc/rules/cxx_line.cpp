// SPDX-License-Identifier: MIT
// error: 102:17: cilk_spawn in an expression: it may only be a statement, or the whole right side of an assignment or initialization
#include <cilk/cilk.h>
int f(int n);
// A message has the line that the user's own translator has written.
#line 100
int g(int n) {
    int x = cilk_spawn f(n);
    int y = 1 + cilk_spawn f(n);
    cilk_sync;
    return x + y;
}
