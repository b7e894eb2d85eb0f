// SPDX-License-Identifier: MIT
// A spawned block reads and writes the variables around it, and may spawn and return from nothing
// but itself.
#include <cilk/cilk.h>
#include <stdio.h>

enum { length = 2000 };

static long sum(const int *values, int count) {
    if (count < 8) {
        long total = 0;
        for (int i = 0; i < count; i++) {
            total += values[i];
        }
        return total;
    }
    long left = 0, right = 0;
    cilk_spawn {
        int half = count / 2;
        left = sum(values, half);
    }
    right = sum(values + count / 2, count - count / 2);
    cilk_sync;
    return left + right;
}

int main(void) {
    static int values[length];
    int even = 0;
    int odd = 0;
    cilk_spawn {
        for (int i = 0; i < length; i += 2) {
            values[i] = i;
            even++;
        }
    }
    cilk_spawn {
        for (int i = 1; i < length; i += 2) {
            values[i] = -3 * i;
            odd++;
        }
    }
    cilk_sync;
    printf("%d %d %ld\n", even, odd, sum(values, length));

    int nested[2] = {0, 0};
    cilk_spawn {
        nested[0] = 1;
        cilk_spawn {
            nested[1] = 2;
        }
        cilk_sync;
        nested[0] += nested[1];
    }
    cilk_sync;
    printf("%d %d\n", nested[0], nested[1]);
    return 0;
}

/* Output:
1000 1000 -2001000
3 2
*/
