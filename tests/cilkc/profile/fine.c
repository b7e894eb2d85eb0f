// SPDX-License-Identifier: MIT
// Functions that do nothing but spawn: the N-th Fibonacci number.
#include <cilk/cilk.h>
#include <stdio.h>
#include <stdlib.h>

static long fib(long n) {
    if (n < 2)
        return n;
    long a = cilk_spawn fib(n - 1);
    long b = fib(n - 2);
    cilk_sync;
    return a + b;
}

int main(int argc, char *argv[]) {
    printf("%ld\n", fib(argc > 1 ? atol(argv[1]) : 20));
}
