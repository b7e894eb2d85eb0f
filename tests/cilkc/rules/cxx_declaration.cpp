// SPDX-License-Identifier: MIT
// error: 8:5: cilk_spawn is not understood here: it stands before a call or a block, as a statement or as the right side of an assignment or initialization
#include <cilk/cilk.h>

int g(int n);

int f(int n) {
    cilk_spawn int y = g(n);
    cilk_sync;
    return y;
}
