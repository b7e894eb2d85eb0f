// SPDX-License-Identifier: MIT
// error: 13:5: the reduction of a reducer must be a 'void (void *left, void *right)'
#include <cilk/cilk.h>

static void zero(void *view) {
    *(int *)view = 0;
}

static int add(int left, int right) {
    return left + right;
}

int cilk_reducer(zero, add) sum = 0;
