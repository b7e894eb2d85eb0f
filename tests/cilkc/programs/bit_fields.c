/* SPDX-License-Identifier: MIT */
/* Bit-fields as destinations: they have no addresses of their own. */
#include <cilk/cilk.h>
#include <stdio.h>

struct bits {
    unsigned low : 3, high : 5;
    struct {
        int rest : 24;
    };
    struct {
        unsigned inner : 7;
    } part;
};

static struct bits global;

static int fib(int n) {
    if (n < 2)
        return n;
    int x = cilk_spawn fib(n - 1);
    int y = fib(n - 2);
    cilk_sync;
    return x + y;
}

static int twice(int n) {
    return 2 * n;
}

static void fill(struct bits *p, struct bits array[2], int i) {
    p->low = cilk_spawn twice(3);
    p->rest = cilk_spawn fib(15);
    (p->part.inner) = cilk_spawn fib(9);
    array[i++].high = cilk_spawn fib(7);
    array[i].low = cilk_spawn fib(5);
    fib(10);
    cilk_sync;
}

int main(void) {
    struct bits own = {0}, array[2] = {{0}, {0}}, shown = {0};
    own.low = cilk_spawn fib(4);
    own.part.inner = cilk_spawn fib(11);
    global.high = cilk_spawn fib(8);
    fill(&shown, array, 0);
    cilk_sync;
    printf("%d %d %d\n", own.low, own.part.inner, global.high);
    printf("%d %d %d\n", shown.low, shown.rest, shown.part.inner);
    printf("%d %d\n", array[0].high, array[1].low);
    return 0;
}

/* Output:
3 89 21
6 610 34
13 5
*/
