// SPDX-License-Identifier: MIT
// error: 8:19: cilk_spawn in an expression: it may only be a statement, or the whole right side of an assignment or initialization
#include <cilk/cilk.h>

int g(int n);

int f(int n) {
    int list[] = {cilk_spawn g(6), 1};
    return list[0] + n;
}
