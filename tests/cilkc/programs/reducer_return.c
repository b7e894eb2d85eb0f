// SPDX-License-Identifier: MIT
// Functions with a reducer, with variables that must not move, and with a result; blocks that are
// left before the reducer is there, and after.
#include <cilk/cilk.h>
#include <stdio.h>

struct pair {
    long first, last;
};

static void zero(void *view) {
    *(long *)view = 0;
}

static void add(void *left, void *right) {
    *(long *)left += *(long *)right;
}

static void store(long *to, long value) {
    *to = value;
}

static long total(int n) {
    long cilk_reducer(zero, add) sum = 0;
    long parts[3] = {0, 0, 0};
    if (n == 0) {
        return -1;
    }
    cilk_spawn store(&parts[0], n);
    cilk_spawn store(&parts[1], 2 * n);
    store(&parts[2], 3 * n);
    cilk_sync;
    cilk_for (int i = 0; i < n; i++) {
        sum += parts[i % 3];
    }
    return sum;
}

static struct pair ends(int n) {
    long cilk_reducer(zero, add) calls = 0;
    struct pair p = {0, 0};
    cilk_spawn store(&p.first, n);
    store(&p.last, n + 1);
    calls++;
    cilk_sync;
    p.last += calls;
    return p;
}

static long early(int n) {
    long all = 0;
    for (int i = 0; i < 10; i++) {
        if (i == 1) {
            continue;
        }
        if (i == n) {
            break;
        }
        if (n == 7) {
            return -7;
        }
        long cilk_reducer(zero, add) sum = i;
        cilk_spawn store(&all, n);
        sum++;
        if (i == 4) {
            continue;
        }
        switch (n) {
        case 5:
            return sum;
        default:
            sum += n;
        }
        long cilk_reducer(zero, add) more = 100;
        cilk_sync;
        if (n == 6) {
            return sum + more;
        }
        all += sum + more;
    }
    return all;
}

int main(void) {
    for (int n = 0; n < 8; n++) {
        const struct pair p = ends(n);
        printf("%ld %ld %ld %ld\n", total(n), p.first, p.last, early(n));
    }
    return 0;
}

/* Output:
-1 0 2 0
1 1 3 112
6 2 4 105
18 3 5 109
28 4 6 112
45 5 7 1
72 6 8 107
91 7 9 -7
*/
