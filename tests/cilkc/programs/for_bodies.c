// SPDX-License-Identifier: MIT
// What a loop's body may do: continue, loops and switches with break, spawn, sync, call what spawns,
// nest, use variables and arrays around it, and take its own variable's address.
#include <cilk/cilk.h>
#include <stdio.h>

enum { rows = 40, columns = 30 };

static int fib(int n) {
    if (n < 2) {
        return n;
    }
    int x = cilk_spawn fib(n - 1);
    int y = fib(n - 2);
    cilk_sync;
    return x + y;
}

static void add(const int *by, int *to) {
    *to += *by;
}

static int classes(int n) {
    int of[100];
    cilk_for (int i = 0; i < n; i++) {
        of[i] = -1;
        if (i % 5 == 0) {
            continue;
        }
        for (int d = 2;; d++) {
            if (i % d == 0 || d > i) {
                of[i] = d;
                break;
            }
        }
        switch (i % 4) {
        case 0:
            of[i] += 100;
            break;
        case 1:
            of[i] += 200;
            // Falls through.
        default:
            of[i] += 1;
        }
    }
    int sum = 0;
    for (int i = 0; i < n; i++) {
        sum = (31 * sum + of[i]) % 1000003;
    }
    return sum;
}

int main(void) {
    int table[rows][columns];
    int offset = 5;
    cilk_for (int i = 0; i < rows; i++) {
        cilk_for (int j = 0; j < columns; j++) {
            table[i][j] = i * columns + j + offset;
        }
    }
    long sum = 0;
    for (int i = 0; i < rows; i++) {
        for (int j = 0; j < columns; j++) {
            sum += (long)table[i][j] * (i + 1);
        }
    }
    printf("%ld\n", sum);

    int numbers[20] = {0};
    cilk_for (int i = 0; i < 20; i++) {
        int x, y;
        x = cilk_spawn fib(i);
        y = fib(i / 2);
        cilk_sync;
        numbers[i] = x + y;
        cilk_spawn add(&i, &numbers[i]);
    }
    for (int i = 0; i < 20; i++) {
        printf("%d%c", numbers[i], i == 19 ? '\n' : ' ');
    }
    printf("%d\n", classes(100));
    return 0;
}

/* Output:
19667700
0 2 4 6 8 11 16 22 32 46 70 105 164 254 404 638 1024 1635 2636 4234
34235
*/
