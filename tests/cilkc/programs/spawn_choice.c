// SPDX-License-Identifier: MIT
// Assignments of spawned expressions that are more than a call: the child finds out which.
#include <cilk/cilk.h>
#include <stdio.h>

struct pair {
    long one, two;
};

static int up(int n) {
    return n + 1;
}

static int down(int n) {
    return n - 1;
}

static long fib(int n) {
    struct pair p;
    p.one = cilk_spawn (n < 3 ? 1 : fib(n - 1));
    p.two = n < 3 ? 0 : fib(n - 2);
    cilk_sync;
    return p.one + p.two;
}

int main(void) {
    int a[8] = {0}, two[2], *p = two, c = 1;
    for (int i = 0; i < 8; i++)
        a[i] = cilk_spawn (i % 2 ? up(i) : down(i));
    if (c > 0)
        c = cilk_spawn (p == two ? up(4) : down(5));
    else
        c = 100;
    int square[3][3], *all = square[0], **row = &all, n = 3;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            all[i * n + j] = cilk_spawn (i > j ? up(i) : down(j));
    cilk_sync;
    for (int i = 0; i < n * n; i++)
        printf("%d ", all[i]);
    **row = cilk_spawn (n > 0 && up(1));
    (*p) = cilk_spawn (up(1) + up(2));
    (*(p + 1)) = cilk_spawn (p != two ? up(10) : 0);
    cilk_sync;
    printf("%d ", square[0][0]);
    for (int i = 0; i < 8; i++)
        printf("%d ", a[i]);
    printf("%d %d %d %ld\n", c, two[0], two[1], fib(15));
    return 0;
}

/* Output:
-1 0 1 2 0 1 3 3 1 1 -1 2 1 4 3 6 5 8 5 5 0 610
*/
