// SPDX-License-Identifier: MIT
// error: 13:5: the identity of a reducer must be a 'void (void *view)'
#include <cilk/cilk.h>

static void zero(int *view) {
    *view = 0;
}

static void add(void *left, void *right) {
    *(int *)left += *(int *)right;
}

int cilk_reducer(zero, add) sum = 0;
