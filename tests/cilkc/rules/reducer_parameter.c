// SPDX-License-Identifier: MIT
// error: 8:36: a parameter cannot be a reducer: it would be a copy; pass a pointer to the reducer
#include <cilk/cilk.h>

void zero(void *view);
void add(void *left, void *right);

void f(int cilk_reducer(zero, add) sum) {
    sum += 1;
}
