// SPDX-License-Identifier: MIT
// error: 8:5: cilk_scope must be followed by a block: 'cilk_scope { ... }'
#include <cilk/cilk.h>

void g(void);

void f(void) {
    cilk_scope g();
}
