// SPDX-License-Identifier: MIT
// error: 18:13: cilk_spawn in an expression: it may only be a statement, or the whole right side of an assignment or initialization
// error: 19:9: cilk_spawn in an expression: it may only be a statement, or the whole right side of an assignment or initialization
// error: 20:16: cilk_spawn needs a call, an assignment or initialization by one, or a block
// error: 21:9: cilk_spawn in an expression: it may only be a statement, or the whole right side of an assignment or initialization
// error: 22:9: cilk_spawn in an expression: it may only be a statement, or the whole right side of an assignment or initialization
// error: 23:20: cilk_spawn needs a call, an assignment or initialization by one, or a block
// error: 24:5: cilk_spawn needs a call, an assignment or initialization by one, or a block
// error: 25:16: cilk_spawn needs a call, an assignment or initialization by one, or a block
#include <cilk/cilk.h>

int g(int n);

template <int n>
int h(int m);

int f(int a, int b, int *p) {
    int x = cilk_spawn a + b;
    x = cilk_spawn g(a) + 1;
    cilk_spawn a *b;
    x = cilk_spawn a < b ? g(a) : 2;
    x = cilk_spawn a == b;
    x = cilk_spawn p[1];
    cilk_spawn x = a;
    cilk_spawn ++x;
    x = cilk_spawn h<3 + 4>(2);
    cilk_sync;
    return x;
}
