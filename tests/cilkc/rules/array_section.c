// SPDX-License-Identifier: MIT
// error: 12:6: an array section of Cilk Plus's, which cilkc does not have: write a loop, 'cilk_for' if it is long
// error: 13:6: an array section of Cilk Plus's, which cilkc does not have: write a loop, 'cilk_for' if it is long
// error: 13:15: an array section of Cilk Plus's, which cilkc does not have: write a loop, 'cilk_for' if it is long
#include <cilk/cilk.h>

static int at(int i) {
    return i;
}

void f(int *a, int n) {
    a[:] = 1;
    a[0:n] = a[at(n):n] + 1;
    cilk_for (int i = 0; i < n; i++)
        a[i] = a[n > i ? i : 0] + a[_Generic(n, int: i, long: 0)];
}
