// SPDX-License-Identifier: MIT
// error: 13:35: use of undeclared identifier 'first'
// error: 13:56: use of undeclared identifier 'second'
// error: 14:22: use of undeclared identifier 'third'
// error: 15:56: use of undeclared identifier 'fourth'
#include <cilk/cilk.h>

void zero(void *view);
void add(void *left, void *right);
void f(int n);

void g(int n) {
    cilk_spawn f(n); cilk_spawn f(first); cilk_spawn f(second);
    cilk_sync; f(n + third);
    cilk_scope { int cilk_reducer(zero, add) sum = 0 + fourth; sum += n; }
}
