// SPDX-License-Identifier: MIT
// The end of a scope is a sync for what was spawned in it.
#include <cilk/cilk.h>
#include <stdio.h>

static void fill(int *to, int count, int value) {
    for (int i = 0; i < count; i++) {
        to[i] = value + i;
    }
}

static int total(const int *of, int count) {
    int sum = 0;
    for (int i = 0; i < count; i++) {
        sum += of[i];
    }
    return sum;
}

static int in_scopes(int rounds) {
    int data[64];
    int result = 0;
    for (int round = 0; round < rounds; round++) {
        cilk_scope {
            cilk_spawn fill(data, 32, round);
            fill(data + 32, 32, -round);
        }
        result += total(data, 64);
        int sum = 0;
        cilk_scope {
            cilk_scope {
                cilk_spawn fill(data, 16, 3);
            }
            sum = total(data, 16);
            cilk_spawn fill(data + 16, 16, sum);
        }
        result += total(data + 16, 16);
    }
    return result;
}

int main(void) {
    int n = 1;
    cilk_scope {
        n = cilk_spawn in_scopes(10);
    }
    printf("%d\n", n);
    return 0;
}

/* Output:
38000
*/
