// SPDX-License-Identifier: MIT
// files: callers_even.c
// A function that spawns is a function: static, inline, extern, called by C that knows nothing of
// it, from qsort, from other threads, recursively through another file, by its address.
#include "parts/callers.h"

#include <cilk/cilk.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static inline int add(int a, int b) {
    int x = cilk_spawn odd_steps(a);
    int y = odd_steps(b);
    cilk_sync;
    return x + y;
}

int odd_steps(int n) {
    if (n <= 0) {
        return 0;
    }
    int x = cilk_spawn even_steps(n - 1);
    int y = even_steps(n - 3);
    cilk_sync;
    return x + y + 1;
}

static int by_steps(const void *a, const void *b) {
    int x = cilk_spawn odd_steps(*(const int *)a % 11);
    int y = odd_steps(*(const int *)b % 11);
    cilk_sync;
    return (x > y) - (x < y);
}

static void *thread(void *argument) {
    int *n = argument;
    *n = odd_steps(*n);
    return NULL;
}

static int (*const table[])(int) = {odd_steps, even_steps};

int main(void) {
    printf("%d\n", add(12, 9));

    int numbers[40];
    for (int i = 0; i < 40; i++) {
        numbers[i] = i * 37 % 41;
    }
    qsort(numbers, 40, sizeof *numbers, by_steps);
    int rising = 1;
    for (int i = 1; i < 40; i++) {
        rising &= odd_steps(numbers[i - 1] % 11) <= odd_steps(numbers[i] % 11);
    }
    printf("%d\n", rising);

    pthread_t threads[4];
    int results[4];
    for (int i = 0; i < 4; i++) {
        results[i] = 10 + i;
        if (pthread_create(&threads[i], NULL, thread, &results[i]) != 0) {
            return 1;
        }
    }
    for (int i = 0; i < 4; i++) {
        pthread_join(threads[i], NULL);
    }
    printf("%d %d %d %d\n", results[0], results[1], results[2], results[3]);
    printf("%d %d %d\n", table[0](8), (*table[1])(8), table[0] == odd_steps);
    return 0;
}

/* Output:
280
1
94 143 220 338
40 42 1
*/
