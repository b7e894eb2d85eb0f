// SPDX-License-Identifier: MIT
// error: 8:20: cilk_scope before a declaration, whose name would mean nothing behind it: write 'cilk_scope { ... }'
#include <cilk/cilk.h>

int g(void);

void f(void) {
    cilk_scope int x = cilk_spawn g();
}
