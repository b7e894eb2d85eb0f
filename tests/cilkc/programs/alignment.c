// SPDX-License-Identifier: MIT
// What a declaration says of a variable holds where the translator puts it: its own alignment, and
// constant members.
#include <cilk/cilk.h>
#include <stdint.h>
#include <stdio.h>

struct pair {
    const int first;
    int second;
};

static void set(int *place, int value) {
    *place = value;
}

static int remainder_of(const void *address, unsigned alignment) {
    return (int)((uintptr_t)address % alignment);
}

static int aligned(int n) {
    int before = 1;
    _Alignas(64) char line[8] = {0};
    int between = 2;
    _Alignas(16) float vector[4] = {0};
    cilk_spawn set(&before, n);
    cilk_spawn set(&between, n + 1);
    set((int *)line, 5);
    int wrong = remainder_of(line, 64) + remainder_of(vector, 16);
    cilk_sync;
    return wrong * 1000 + before + between + *(int *)line;
}

static int constant_members(int n) {
    struct pair k = {n, n + 1};
    int x = 0;
    int y = 0;
    cilk_spawn set(&x, k.first);
    cilk_spawn set(&y, k.second);
    cilk_sync;
    return 100 * k.first + 10 * x + y;
}

int main(void) {
    printf("%d\n", aligned(10));
    printf("%d\n", constant_members(3));
    return 0;
}

/* Output:
26
334
*/
