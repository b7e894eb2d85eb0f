/* SPDX-License-Identifier: MIT */
/* options: -std=c89 -Wno-deprecated-non-prototype */
/* Old C: declarations first, types of parameters after their names, implicit int. */
#include <cilk/cilk.h>
#include <stdio.h>

static long fib(n)
    int n;
{
    long x, y;
    if (n < 2)
        return n;
    x = cilk_spawn fib(n - 1);
    y = cilk_spawn fib(n - 2);
    cilk_sync;
    return x + y;
}

static int count(n, where)
    int n;
    int *where;
{
    register int i;
    auto int left = 0, right = 0;
    for (i = 0; i < n; i++)
        where[i] = i;
    if (n > 1) {
        left = cilk_spawn count(n / 2, where);
        right = cilk_spawn count(n - n / 2, where + n / 2);
        cilk_sync;
    }
    return left + right + n;
}

int main() {
    int numbers[100];
    printf("%ld\n", fib(15));
    printf("%d\n", count(100, numbers));
    return 0;
}

/* Output:
610
772
*/
