// SPDX-License-Identifier: MIT
// Merge sort in OpenCilk's dialect.
#include <cilk/cilk.h>
#include <stdio.h>
#include <string.h>

enum { count = 20000, small = 32 };

static void merge(const int *a, const int *a_end, const int *b, const int *b_end, int *to) {
    while (a < a_end && b < b_end) {
        *to++ = *b < *a ? *b++ : *a++;
    }
    memcpy(to, a, (size_t)(a_end - a) * sizeof *a);
    memcpy(to + (a_end - a), b, (size_t)(b_end - b) * sizeof *b);
}

static void sort(int *values, int *spare, int n) {
    if (n < small) {
        for (int i = 1; i < n; i++) {
            int value = values[i], j = i;
            for (; j > 0 && values[j - 1] > value; j--) {
                values[j] = values[j - 1];
            }
            values[j] = value;
        }
        return;
    }
    int half = n / 2;
    cilk_spawn sort(values, spare, half);
    sort(values + half, spare + half, n - half);
    cilk_sync;
    merge(values, values + half, values + half, values + n, spare);
    memcpy(values, spare, (size_t)n * sizeof *values);
}

int main(void) {
    static int values[count], spare[count];
    unsigned state = 12345;
    for (int i = 0; i < count; i++) {
        state = state * 1103515245 + 12345;
        values[i] = (int)(state >> 8 & 0xffff);
    }
    sort(values, spare, count);
    unsigned hash = 0;
    int rising = 1;
    for (int i = 0; i < count; i++) {
        rising &= i == 0 || values[i - 1] <= values[i];
        hash = hash * 31 + (unsigned)values[i];
    }
    printf("%d %08x\n", rising, hash);
    return 0;
}

/* Output:
1 feff8529
*/
