// SPDX-License-Identifier: MIT
// The keywords proper need no header; the names that <cilk/cilk.h> gives them are then free.
#include <stdio.h>

static int cilk_spawn = 1;

static int depth(int n) {
    if (n == 0) {
        return 0;
    }
    int a = _Cilk_spawn depth(n - 1);
    int b = depth(n / 2);
    _Cilk_sync;
    return 1 + (a > b ? a : b);
}

int main(void) {
    int cilk_for[50];
    _Cilk_for (int i = 0; i < 50; i++) {
        cilk_for[i] = i * i;
    }
    _Cilk_scope {
        cilk_spawn += _Cilk_spawn depth(5);
    }
    int sum = 0;
    for (int i = 0; i < 50; i++) {
        sum += cilk_for[i];
    }
    printf("%d %d %d\n", depth(12), sum, cilk_spawn);
    return 0;
}

/* Output:
12 40425 6
*/
