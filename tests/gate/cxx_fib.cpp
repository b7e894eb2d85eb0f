// SPDX-License-Identifier: MIT
//
// fib N, and fib several N with two spawns before the sync: the common shapes of spawns in C++,
// compiled by cilkc++ as users compile them. gate.py counts the instructions.
#include <cilk/cilk.h>

#include <cstdio>
#include <cstdlib>

static int fib(int n) {
    if (n < 2)
        return n;
    int x = cilk_spawn fib(n - 1);
    int y = fib(n - 2);
    cilk_sync;
    return x + y;
}

// Each number is the sum of three.
static int fib3(int n) {
    if (n < 3)
        return n;
    int x = cilk_spawn fib3(n - 1);
    int y = cilk_spawn fib3(n - 2);
    int z = fib3(n - 3);
    cilk_sync;
    return x + y + z;
}

int main(int argc, char **argv) {
    if (argc != 2 && argc != 3)
        return 2;
    const int n = std::atoi(argv[argc - 1]);
    std::printf("%d\n", argc == 2 ? fib(n) : fib3(n));
    return 0;
}
