// SPDX-License-Identifier: MIT
// error: 14:21: cilk_spawn outside of any function
// error: 21:5: cilk_sync is a statement, not a function: 'cilk_sync;'
// error: 32:11: cilk_scope in an expression: it is a statement of its own
// error: 33:9: cilk_scope in an expression: it is a statement of its own
// error: 34:11: cilk_sync in an expression: it is a statement of its own
// error: 35:20: cilk_for in an expression: it is a statement of its own
// error: 28:1: '#pragma cilk grainsize' must stand right before a cilk_for
// error: 39:1: '#pragma cilk grainsize' needs a value: '#pragma cilk grainsize = expression'
#include <cilk/cilk.h>

int g(int n);

int at_file_scope = cilk_spawn g(1);

namespace inner {
int in_a_namespace = cilk_spawn g(2);
}

int f(int n, int m = 3) {
    cilk_sync();
    cilk_spawn g(n);
    int x = ({ cilk_spawn g(m); 5; });
    cilk_sync;
    return x;
}

#pragma cilk grainsize = 4
int after_a_pragma;

int in_expressions(int n, int m) {
    (void)cilk_scope g(n);
    n = cilk_scope g(m);
    (void)cilk_sync;
    return m > 0 ? cilk_for (int i = 0; i < n; ++i) g(i) : g(n);
}

void loop(int n) {
#pragma cilk grainsize
    cilk_for (int i = 0; i < n; ++i)
        g(i);
}
