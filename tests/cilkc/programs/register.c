// SPDX-License-Identifier: MIT
// `register` variables that spawned statements and loops change: they are reached by address.
#include <cilk/cilk.h>
#include <stdio.h>

static int next(register int n) {
    return n + 1;
}

static int parameters(register int a, register const int b, register int my_register) {
    cilk_spawn { a += b; }
    my_register = cilk_spawn next(my_register);
    cilk_sync;
    return a * 10 + my_register;
}

static int variables(void) {
    register int x = 1, y = 2;
    register struct {
        int low, high;
    } both = {3, 4};
    cilk_spawn {
        x += 10;
        both.high += x;
    }
    y = cilk_spawn next(y);
    cilk_sync;
    return x * 10000 + y * 1000 + both.low * 100 + both.high;
}

static int loops(void) {
    int seen[8] = {0};
    register int factor = 3, last;
    cilk_for (register int i = 0; i < 8; i++)
        seen[i] = factor * i;
    cilk_for (last = 0; last < 8; last++)
        seen[last]++;
    cilk_for (int i = 0; i < 1; i++)
        factor += seen[7];
    return factor * 10 + last;
}

int main(void) {
    printf("%d %d %d\n", parameters(1, 2, 3), variables(), loops());
    return 0;
}

/* Output:
34 113315 258
*/
