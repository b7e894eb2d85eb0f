// SPDX-License-Identifier: MIT
// error: 9:5: cilk_sync is a statement, not a function: 'cilk_sync;'
#include <cilk/cilk.h>

int g(int n);

int f(int n) {
    n = cilk_spawn g(n);
    cilk_sync();
    return n;
}
