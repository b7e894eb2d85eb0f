// SPDX-License-Identifier: MIT
// error: 8:29: a reducer cannot be of type 'int[3]'
#include <cilk/cilk.h>

void zero(void *view);
void add(void *left, void *right);

int cilk_reducer(zero, add) sums[3];
