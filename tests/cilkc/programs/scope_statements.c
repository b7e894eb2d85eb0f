// SPDX-License-Identifier: MIT
// cilk_scope before statements that are no blocks.
#include <cilk/cilk.h>
#include <stdio.h>

static int next(int n) {
    return n + 1;
}

static int early(int n, int *sum) {
    cilk_scope if (n > 3) {
        *sum = cilk_spawn next(n);
        return n;
    }
    int each[3];
    cilk_scope for (int i = 0; i < n; i++) each[i] = cilk_spawn next(i);
    for (int i = 0; i < n; i++)
        *sum += each[i];
    return 0;
}

static int loops(int n) {
    int x = 0;
    cilk_scope while (x < n) {
        x = cilk_spawn next(x);
        cilk_sync;
    }
    cilk_scope do x = cilk_spawn next(x);
    while (0);
    for (int i = 0; i < 10; i++)
        cilk_scope {
            int more = cilk_spawn next(i);
            if (i == 4)
                break;
            cilk_sync;
            x += more;
        }
    for (int i = 0; i < 10; i++)
        cilk_scope if (i == 4) break;
        else continue;
    while (x < 30)
        cilk_scope x = cilk_spawn next(x);
    cilk_scope cilk_scope x += next(x);
    cilk_scope switch (n) {
    case 3:
        x = cilk_spawn next(x);
        break;
    default:
        x = 0;
    }
    cilk_scope return next(x);
}

int main(void) {
    int c = 0, d = 0, sum = 0, more = 0;
    cilk_scope;
    cilk_scope c = cilk_spawn next(1);
    cilk_scope cilk_spawn {
        d = next(c);
    }
    if (d == 3)
        cilk_scope cilk_spawn d += next(c);
    else
        d = 100;
    cilk_scope {
        cilk_scope cilk_spawn {
            d += next(0);
        }
        d *= 2;
    }
    c += early(5, &sum) + early(3, &more);
    printf("%d %d %d %d %d\n", c, d, sum, more, loops(3));
    return 0;
}

/* Output:
7 14 6 6 63
*/
