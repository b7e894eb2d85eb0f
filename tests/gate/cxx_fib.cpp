// SPDX-License-Identifier: MIT
//
// fib N: the common shape of a spawn in C++, compiled by cilkc++ as users compile it. gate.py
// counts the instructions.
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

int main(int argc, char **argv) {
    if (argc != 2)
        return 2;
    std::printf("%d\n", fib(std::atoi(argv[1])));
    return 0;
}
