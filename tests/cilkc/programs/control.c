// SPDX-License-Identifier: MIT
// Spawns in every kind of statement: what is live behind each depends on how control gets there.
#include <cilk/cilk.h>
#include <stdio.h>

static int work(int n) {
    if (n <= 1) {
        return 1;
    }
    int a = cilk_spawn work(n - 1);
    int b = work(n / 2);
    cilk_sync;
    return (a + b) % 1009;
}

static int loops(int n) {
    int results[12];
    int used = 0;
    for (int i = 0; i < 4; i++) {
        results[used++] = cilk_spawn work(n + i);
    }
    int left = 4;
    while (left-- > 0) {
        if (left == 2) {
            continue;
        }
        results[used++] = cilk_spawn work(n + left);
    }
    do {
        results[used] = cilk_spawn work(used);
    } while (++used < 10);
    cilk_sync;
    int sum = 0;
    for (int i = 0; i < used; i++) {
        sum = sum * 3 + results[i];
    }
    return sum;
}

static int switches(int n) {
    int a = 0, b = 0, c = 0;
    for (int i = 0; i < 6; i++) {
        switch ((n + i) % 4) {
        case 0:
            a = cilk_spawn work(n);
            cilk_sync;
            break;
        case 1: {
            int inner = n * i;
            b = cilk_spawn work(i + 3);
            c += inner;
        }
            // Falls through.
        case 2:
            cilk_sync;
            c += b;
            break;
        default:
            if (a > 5) {
                c -= a;
            } else if (b > 5) {
                b = cilk_spawn work(5);
                cilk_sync;
            }
        }
    }
    return a + 10 * b + 100 * c;
}

static int gotos(int n) {
    int x = 0, y = 0, rounds = 0;
again:
    x = cilk_spawn work(n + rounds);
    if (rounds == 2) {
        goto out;
    }
    y += work(rounds);
    cilk_sync;
    y += x;
    rounds++;
    goto again;
out:
    cilk_sync;
    return x * 100 + y;
}

static int shadows(int n) {
    int x = n;
    {
        int x = cilk_spawn work(n);
        {
            int x = cilk_spawn work(n + 1);
            cilk_sync;
            n += x;
        }
        n += x;
    }
    cilk_sync;
    return n + x;
}

static int early(int n) {
    int x;
    x = cilk_spawn work(n);
    if (n % 2 == 0) {
        return -1;
    }
    cilk_sync;
    return x;
}

static int conditions(int n) {
    int x = cilk_spawn work(n);
    int y = n > 3 && work(n) > 2 ? work(n - 1) : work(n + 1) + work(work(3) % 7);
    cilk_sync;
    return x - y;
}

int main(void) {
    for (int n = 2; n < 8; n++) {
        printf("%d %d %d %d %d %d\n", loops(n), switches(n), gotos(n), shadows(n), early(n),
               conditions(n));
    }
    return 0;
}

/* Output:
77279 2672 507 9 -1 -4
117563 2073 710 14 3 -5
179744 5385 1014 20 -1 2
250511 5337 1319 27 7 2
345362 2910 1825 35 -1 3
455441 1583 2333 45 13 3
*/
