// SPDX-License-Identifier: MIT
// error: 9:33: a member of a struct cannot be a reducer
#include <cilk/cilk.h>

void zero(void *view);
void add(void *left, void *right);

struct sums {
    int cilk_reducer(zero, add) sum;
};
