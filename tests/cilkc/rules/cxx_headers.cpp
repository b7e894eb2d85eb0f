// SPDX-License-Identifier: MIT
// error: 13:10: cilk_spawn in an expression: it may only be a statement, or the whole right side of an assignment or initialization
// error: 14:18: cilk_spawn in an expression: it may only be a statement, or the whole right side of an assignment or initialization
// error: 16:17: cilk_spawn in an expression: it may only be a statement, or the whole right side of an assignment or initialization
// error: 18:5: cilk_for over a list in braces: declare the list before the loop
// error: 20:22: alignas on a variable that a spawned call initialises: declare it before, and assign it
// error: 26:16: cilk_spawn needs a call, an assignment or initialization by one, or a block
#include <cilk/cilk.h>
#include <initializer_list>
int g(int n);

void f(int *v, int x) {
    x = (cilk_spawn g(2));
    for (int i = cilk_spawn g(0); i < 3; ++i)
        g(i);
    if (int y = cilk_spawn g(x))
        g(y);
    cilk_for (int i : {1, 2, 3})
        v[i] = 0;
    alignas(64) auto z = cilk_spawn g(1);
    cilk_sync;
}

template <class T>
void h(T x) {
    cilk_spawn g(x), g(x);
    cilk_sync;
}
