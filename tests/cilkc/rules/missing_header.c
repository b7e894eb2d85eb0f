// SPDX-License-Identifier: MIT
// error: 10:13: 'cilk_spawn' without its header: #include <cilk/cilk.h>
// error: 11:5: 'cilk_sync' without its header: #include <cilk/cilk.h>
// error: 12:5: 'cilk_for' without its header: #include <cilk/cilk.h>
// error: 14:5: 'cilk_scope' without its header: #include <cilk/cilk.h>
// error: 19:6: 'cilk_reducer' without its header: #include <cilk/cilk.h>
int g(int n);

int f(int n) {
    int x = cilk_spawn g(n);
    cilk_sync;
    cilk_for (int i = 0; i < n; i++)
        g(i);
    cilk_scope {
        g(n);
    }
    return x;
}
long cilk_reducer(zero, add) sum;
