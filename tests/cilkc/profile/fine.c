// SPDX-License-Identifier: MIT
// Functions that do nothing but spawn: the N-th Fibonacci number. Then, with a second argument,
// 16 strands that work, in a tree.
#include <cilk/cilk.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static long fib(long n) {
    if (n < 2)
        return n;
    long a = cilk_spawn fib(n - 1);
    long b = fib(n - 2);
    cilk_sync;
    return a + b;
}

static void work(int milliseconds) {
    clock_t end = clock() + milliseconds * (CLOCKS_PER_SEC / 1000);
    while (clock() < end) {
    }
}

static void tree(int depth) {
    if (depth == 0) {
        work(3);
        return;
    }
    cilk_spawn tree(depth - 1);
    tree(depth - 1);
    cilk_sync;
}

int main(int argc, char *argv[]) {
    printf("%ld\n", fib(argc > 1 ? atol(argv[1]) : 20));
    if (argc > 2)
        tree(4);
}
