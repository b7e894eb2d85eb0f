// SPDX-License-Identifier: MIT
// A race of the program's own: two strands count in one variable.
#include <cilk/cilk.h>

#include <stdio.h>

static long counted;

static void count(int n) {
    if (n == 0)
        return;
    counted++;
    cilk_spawn count(n - 1);
    count(n - 1);
    cilk_sync;
}

int main(void) {
    for (int round = 0; round < 20; round++)
        count(12);
    printf("%d\n", counted > 0);
    return 0;
}
