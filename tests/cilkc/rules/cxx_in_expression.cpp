// SPDX-License-Identifier: MIT
// error: 17:18: cilk_spawn in an expression: it may only be a statement, or the whole right side of an assignment or initialization
// error: 18:14: cilk_spawn in an expression: it may only be a statement, or the whole right side of an assignment or initialization
// error: 19:11: cilk_spawn in an expression: it may only be a statement, or the whole right side of an assignment or initialization
// error: 20:11: cilk_spawn in an expression: it may only be a statement, or the whole right side of an assignment or initialization
// error: 21:10: cilk_spawn in an expression: it may only be a statement, or the whole right side of an assignment or initialization
// error: 22:11: cilk_spawn in an expression: it may only be a statement, or the whole right side of an assignment or initialization
// error: 23:9: cilk_spawn in an expression: it may only be a statement, or the whole right side of an assignment or initialization
// error: 24:12: cilk_spawn in an expression: it may only be a statement, or the whole right side of an assignment or initialization
#include <cilk/cilk.h>

int g(int n);

struct counter;

int f(int n) {
    int x = 2 * (cilk_spawn g(n));
    if (0 == cilk_spawn g(1))
        g(cilk_spawn g(2));
    x += (cilk_spawn g(3));
    x += cilk_spawn g(4);
    int y(cilk_spawn g(5));
    x = cilk_spawn g(6) + 1;
    return cilk_spawn g(x + y);
}
