// SPDX-License-Identifier: MIT
// Fibonacci numbers in OpenCilk's dialect.
#include <cilk/cilk.h>
#include <stdio.h>

static long fib(long n) {
    if (n < 2) {
        return n;
    }
    long x = cilk_spawn fib(n - 1);
    long y = fib(n - 2);
    cilk_sync;
    return x + y;
}

int main(void) {
    printf("fib(22) = %ld\n", fib(22));
    return 0;
}

/* Output:
fib(22) = 17711
*/
