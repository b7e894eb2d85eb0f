// SPDX-License-Identifier: MIT
// Many frames at once, and many spawns of one function.
#include <cilk/cilk.h>
#include <stdio.h>

static long chain(int n) {
    if (n == 0) {
        return 0;
    }
    long rest = cilk_spawn chain(n - 1);
    long own = n % 3;
    cilk_sync;
    return rest + own;
}

static void mark(unsigned char *where) {
    *where = 1;
}

static int wide(int n) {
    static unsigned char marks[5000];
    for (int i = 0; i < n; i++) {
        cilk_spawn mark(&marks[i]);
    }
    cilk_sync;
    int sum = 0;
    for (int i = 0; i < n; i++) {
        sum += marks[i];
    }
    return sum;
}

int main(void) {
    printf("%ld %d\n", chain(3000), wide(5000));
    return 0;
}

/* Output:
3000 5000
*/
