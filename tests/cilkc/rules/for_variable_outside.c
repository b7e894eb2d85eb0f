// SPDX-License-Identifier: MIT
// error: 14:19: the variable 'j' of this cilk_for is declared outside of the body of a cilk_for around it, whose strands would share it, and used outside of such loops: declare it in the header of the loop
// error: 23:28: the variable 'j' of this cilk_for is declared outside of a spawned block around it, whose strands would share it, and used outside of such loops: declare it in the header of the loop
// error: 29:19: the variable 'k' of this cilk_for is declared outside of the body of a cilk_for around it, whose strands would share it, and used outside of such loops: declare it in the header of the loop
// error: 36:23: the variable 'k' of this cilk_for is declared outside of the body of a cilk_for around it, whose strands would share it, and used outside of such loops: declare it in the header of the loop
// error: 43:19: the variable 'shared' of this cilk_for is declared outside of the body of a cilk_for around it, whose strands would share it, and used outside of such loops: declare it in the header of the loop
#include <cilk/cilk.h>

static int shared;
void f(int *a, int n) {
    int i, j;
    // This one may be declared outside: nothing runs beside the loop.
    cilk_for (i = 0; i < n; i++) {
        cilk_for (j = 0; j < n; j++) {
            a[i * n + j] = i;
        }
        a[i * n] = j;
        int k;
        cilk_for (k = 0; k < n; k++) {
            a[i * n + k]++;
        }
    }
    cilk_spawn { cilk_for (j = 0; j < n; j++) { a[j]++; } }
}

void address(int *a, int n) {
    int k, *p = &k;
    cilk_for (int i = 0; i < n; i++) {
        cilk_for (k = 0; k < n; k++) { a[i]++; }
    }
    *p = 0;
}
void around(int *a, int n) {
    for (int k = 0; k < n; k++) {
        cilk_for (int i = 0; i < n; i++) {
            cilk_for (k = 0; k < n; k++) { a[i]++; }
        }
    }
}

void global(int *a, int n) {
    cilk_for (int i = 0; i < n; i++) {
        cilk_for (shared = 0; shared < n; shared++) { a[i]++; }
    }
}
