// SPDX-License-Identifier: MIT
//
// The n-th Fibonacci number by double recursion: a spawn in every call and hardly anything else,
// so the time tells what a spawn costs.
#include "example.h"

#include <cilk/cilk.h>

static long fib(long n) {
    if (n < 2)
        return n;
    long x = cilk_spawn fib(n - 1);
    long y = fib(n - 2);
    cilk_sync;
    return x + y;
}

static long fib_by_loop(long n) {
    long now = 0;
    long next = 1;
    for (long i = 0; i < n; i++) {
        long sum = now + next;
        now = next;
        next = sum;
    }
    return now;
}

static const struct example program = {
    .name = "fib",
    .meaning = "The n-th Fibonacci number by double recursion, a spawn in every call",
    .size = {"N", "which number", 40, 0, 60},
};

int main(int argc, char *argv[]) {
    struct example_run run = example_begin(argc, argv, &program);
    double start = example_seconds();
    long result = fib(run.size);
    double seconds = example_seconds() - start;
    return example_end(&run, seconds, result == fib_by_loop(run.size), "fib(%ld) = %ld", run.size,
                       result);
}
