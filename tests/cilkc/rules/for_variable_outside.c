// SPDX-License-Identifier: MIT
// error: 10:19: the variable 'j' of this cilk_for is declared outside of the body of a cilk_for around it, whose strands would share it: declare it in the header of the loop
// error: 18:28: the variable 'j' of this cilk_for is declared outside of a spawned block around it, whose strands would share it: declare it in the header of the loop
#include <cilk/cilk.h>

void f(int *a, int n) {
    int i, j;
    // This one may be declared outside: nothing runs beside the loop.
    cilk_for (i = 0; i < n; i++) {
        cilk_for (j = 0; j < n; j++) {
            a[i * n + j] = i;
        }
        int k;
        cilk_for (k = 0; k < n; k++) {
            a[i * n + k]++;
        }
    }
    cilk_spawn { cilk_for (j = 0; j < n; j++) { a[j]++; } }
}
