// SPDX-License-Identifier: MIT
// __builtin_addressof of a reducer: the reducer itself where a pointer to one is wanted, or else the
// view that is first in the serial order.
#include <cilk/cilk.h>
#include <stdio.h>

static void zero(void *v) {
    *(long *)v = 0;
}

static void add(void *l, void *r) {
    *(long *)l += *(long *)r;
}

typedef long cilk_reducer(zero, add) sum_t;

static sum_t odd, even;

static void go(sum_t *to, long first, long last) {
    if (last - first == 1) {
        *to += first;
        return;
    }
    cilk_spawn go(to, first, (first + last) / 2);
    go(to, (first + last) / 2, last);
    cilk_sync;
}

static void more(long *view) {
    *view += 1;
}

static void choose(long n) {
    sum_t *to = n % 2 ? __builtin_addressof(odd) : &even;
    go(n % 2 ? &odd : (n > 0 ? __builtin_addressof(even) : &even), n, n + 1);
    *to += 1;
}

// Also in strands that have views of their own.
static int is_first(sum_t *sum, long *first) {
    long *by_pointer = (long *)__builtin_addressof(*sum);
    return by_pointer == first;
}

int main(void) {
    sum_t sum = 0;
    long *first = (long *)__builtin_addressof(sum);
    int firsts = 0;
    go(__builtin_addressof(sum), 0, 1000);
    printf("%ld %ld\n", sum, *first);
    more(&sum);
    more((long *)__builtin_addressof(sum));
    cilk_for (int i = 0; i < 100; i++) {
        sum += 1;
        choose(i);
        if ((long *)__builtin_addressof(sum) != first || !is_first(&sum, first))
            firsts = -1;
    }
    firsts += is_first(__builtin_addressof(sum), first);
    printf("%ld %ld %ld %d\n", *first, odd, even, firsts);
    return 0;
}

/* Output:
499500 499500
499602 2550 2500 1
*/
