// SPDX-License-Identifier: MIT
// options: -std=c2x
// Attributes in brackets before functions: what is made of a function goes before them.
#include <cilk/cilk.h>
#include <stdio.h>

static void zero(void *view) {
    *(int *)view = 0;
}

static void add(void *left, void *right) {
    *(int *)left += *(int *)right;
}

static int same(int n) {
    return n;
}

[[gnu::noinline, nodiscard("brackets ]]")]] [[gnu::hot]]
int fib(int n) {
    if (n < 2)
        return n;
    int x = cilk_spawn fib(n - 1);
    int y = same(fib(n - 2));
    cilk_sync;
    return x + y;
}

[[gnu::noinline]] static int with_loop(int n) {
    int a[3];
    cilk_for (int i = 0; i < 3; i++)
        a[i] = n > 0 ? 1 + with_loop(n - 1) : 1;
    return a[0] + a[1] + a[2];
}

[[nodiscard]]
static int with_block(int n) {
    int a, b;
    cilk_spawn {
        a = n > 0 ? with_block(n - 1) + 1 : 0;
    }
    b = n;
    cilk_sync;
    return a + b;
}

[[gnu::noinline]] static int with_reducer(int n) {
    int cilk_reducer(zero, add) sum = 0;
    cilk_for (int i = 0; i < n; i++)
        sum += i;
    return sum;
}

int main(void) {
    printf("%d %d %d %d\n", fib(10), with_loop(3), with_block(4), with_reducer(10));
    return 0;
}

/* Output:
55 120 14 45
*/
