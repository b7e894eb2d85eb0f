// SPDX-License-Identifier: MIT
// Plain data that spawns and loops hand from one worker to another. It is no race.
#include <cilk/cilk.h>

#include <cstdio>
#include <vector>

static int fib(int n) {
    if (n < 2)
        return n;
    int x = cilk_spawn fib(n - 1);
    int y = fib(n - 2);
    cilk_sync;
    return x + y;
}

static long sum_of_rounds(int rounds) {
    enum { size = 20000 };
    std::vector<int> made(size);
    long sum = 0;
    for (int round = 0; round < rounds; round++) {
        long base[4] = {round, 2, 3, 4};
        cilk_for (int i = 0; i < size; i++)
            made[i] = static_cast<int>(base[i % 4]);
        for (int i = 0; i < size; i++)
            sum += made[i];
    }
    return sum;
}

int main() {
    std::printf("%d %ld\n", fib(20), sum_of_rounds(20));
    return 0;
}
