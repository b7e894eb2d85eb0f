// SPDX-License-Identifier: MIT
// error: 9:9: goto into a cilk_scope
#include <cilk/cilk.h>

void g(void);

void f(int n) {
    if (n)
        goto inside;
    cilk_scope {
        cilk_spawn g();
    inside:
        g();
    }
}
