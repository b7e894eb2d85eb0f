// SPDX-License-Identifier: MIT
// cilksort as clones, with small cutoffs for tests.
#include "clones.h"

#include <stdlib.h>
#include <string.h>

#define SORT_CUTOFF 2048
#define MERGE_CUTOFF 2048

static int compare(const void *a, const void *b) {
    const int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}

static void merge_serially(const int *a, long a_size, const int *b, long b_size, int *out) {
    while (a_size > 0 && b_size > 0) {
        if (*b < *a) {
            *out++ = *b++;
            b_size--;
        } else {
            *out++ = *a++;
            a_size--;
        }
    }
    memcpy(out, a, (size_t)a_size * sizeof *a);
    memcpy(out + a_size, b, (size_t)b_size * sizeof *b);
}

// How many elements of the sorted run are less than value.
static long lower_bound(const int *run, long n, int value) {
    long low = 0;
    while (n > 0) {
        long half = n / 2;
        if (run[low + half] < value) {
            low += half + 1;
            n -= half + 1;
        } else {
            n = half;
        }
    }
    return low;
}

static void sort_serially(int *array, long n) {
    qsort(array, (size_t)n, sizeof *array, compare);
}

#define cilksort_by_clones test_cilksort
#include "clones/cilksort.h"
