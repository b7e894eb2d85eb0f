// SPDX-License-Identifier: MIT
// Functions that do nothing but spawn: the N-th Fibonacci number. Then, with a second argument,
// strands that work after many that do nothing, from the same places: 128 in a tree, or 64 in a
// row.
#include <cilk/cilk.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "busy.h"

static long fib(long n) {
    if (n < 2)
        return n;
    long a = cilk_spawn fib(n - 1);
    long b = fib(n - 2);
    cilk_sync;
    return a + b;
}

static void work(int milliseconds) {
    if (milliseconds > 0)
        busy(milliseconds * 1000);
}

static void tree(int depth, int milliseconds) {
    if (depth == 0) {
        work(milliseconds);
        return;
    }
    cilk_spawn tree(depth - 1, milliseconds);
    tree(depth - 1, milliseconds);
    cilk_sync;
}

static void row(int count, int milliseconds) {
    for (int i = 0; i < count; i++)
        cilk_spawn work(milliseconds);
    cilk_sync;
}

static int begun; // something between spawn and sync, or else the spawn is a call

static void trees(void) {
    for (int i = 0; i <= 40; i++) {
        cilk_spawn tree(7, i < 40 ? 0 : 1);
        begun++;
        cilk_sync;
    }
}

static void rows(void) {
    for (int i = 0; i <= 40; i++) {
        cilk_spawn row(i < 40 ? 8 : 64, i < 40 ? 0 : 1);
        begun++;
        cilk_sync;
    }
}

int main(int argc, char *argv[]) {
    printf("%ld\n", fib(argc > 1 ? atol(argv[1]) : 20));
    if (argc > 2 && strcmp(argv[2], "tree") == 0)
        trees();
    if (argc > 2 && strcmp(argv[2], "row") == 0)
        rows();
}
