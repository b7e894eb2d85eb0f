// SPDX-License-Identifier: MIT
// Memory whose size is known when the function runs.
#include <alloca.h>
#include <cilk/cilk.h>
#include <stdio.h>

static void fill(int *to, int n, int from) {
    for (int i = 0; i < n; i++) {
        to[i] = from + i;
    }
}

static int with_alloca(int n) {
    if (n < 2) {
        return n;
    }
    int *numbers = alloca((size_t)n * sizeof *numbers);
    cilk_spawn fill(numbers, n / 2, 1);
    fill(numbers + n / 2, n - n / 2, n);
    int inner = with_alloca(n / 2);
    cilk_sync;
    int sum = inner;
    for (int i = 0; i < n; i++) {
        sum += numbers[i];
    }
    return sum;
}

static int of_children_before(int n) {
    // The array's life is over before the first spawn.
    int sum = 0;
    {
        int squares[n];
        for (int i = 0; i < n; i++) {
            squares[i] = i * i;
        }
        sum = squares[n - 1];
    }
    int x = cilk_spawn with_alloca(n);
    int y = with_alloca(n + 1);
    cilk_sync;
    return sum + x - y;
}

int main(void) {
    printf("%d %d\n", with_alloca(100), of_children_before(30));
    return 0;
}

/* Output:
10000 780
*/
