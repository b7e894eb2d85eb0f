// SPDX-License-Identifier: MIT
// error: 11:7: the index of a pointer to a reducer must be 0: there are no arrays of reducers
// error: 12:7: the index of a pointer to a reducer must be 0: there are no arrays of reducers
#include <cilk/cilk.h>

void zero(void *view);
void add(void *left, void *right);

void f(int cilk_reducer(zero, add) *p, int n) {
    p[0] += n;
    p[1] += n;
    p[n] += 1;
}
