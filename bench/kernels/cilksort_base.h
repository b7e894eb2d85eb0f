// SPDX-License-Identifier: MIT
//
// What every form of cilksort shares, in C and in C++: the serial sort and the serial merge below
// the cutoffs, and the search that cuts a merge in two. The algorithm is that of the Cilk-5
// example: sort four quarters, merge them in two pairs, merge the pairs; a merge cuts the longer
// run at its middle and the other one at the place where that middle belongs.
#pragma once

#include <string.h>

/// Below this many elements a range is sorted serially. Cilk-5's value.
#define BENCH_SORT_CUTOFF 2048

/// Below this many elements, both runs together, a merge is serial.
#define BENCH_MERGE_CUTOFF 4096

/// Below this many elements insertion beats partitioning. Cilk-5's value.
#define BENCH_INSERTION_CUTOFF 20

static inline void bench_swap(int *a, int *b) {
    int kept = *a;
    *a = *b;
    *b = kept;
}

/// Sorts array[0 .. n-1] by insertion.
static inline void bench_insertion_sort(int *array, long n) {
    for (long i = 1; i < n; i++) {
        int value = array[i];
        long hole = i;
        for (; hole > 0 && array[hole - 1] > value; hole--) {
            array[hole] = array[hole - 1];
        }
        array[hole] = value;
    }
}

/// Cuts array[0 .. n-1], n >= 3, at a median of three: returns k, 0 < k < n, such that nothing
/// in array[0 .. k-1] is greater than anything in array[k .. n-1].
static inline long bench_partition(int *array, long n) {
    long middle = n / 2;
    if (array[middle] < array[0]) {
        bench_swap(&array[middle], &array[0]);
    }
    if (array[n - 1] < array[0]) {
        bench_swap(&array[n - 1], &array[0]);
    }
    if (array[n - 1] < array[middle]) {
        bench_swap(&array[n - 1], &array[middle]);
    }
    // The ends are now sentinels on their own sides: neither scan below needs a bound.
    int pivot = array[middle];
    long low = 0;
    long high = n - 1;
    for (;;) {
        do {
            low++;
        } while (array[low] < pivot);
        do {
            high--;
        } while (array[high] > pivot);
        if (low >= high) {
            return low;
        }
        bench_swap(&array[low], &array[high]);
    }
}

/// Sorts array[0 .. n-1] serially: quicksort down to insertion sort. Recurses into the shorter
/// part only, so the stack stays below log2(n) calls whatever the input.
static inline void bench_quick_sort(int *array, long n) {
    while (n >= BENCH_INSERTION_CUTOFF) {
        long cut = bench_partition(array, n);
        if (cut <= n - cut) {
            bench_quick_sort(array, cut);
            array += cut;
            n -= cut;
        } else {
            bench_quick_sort(array + cut, n - cut);
            n = cut;
        }
    }
    bench_insertion_sort(array, n);
}

/// Merges the sorted runs a[0 .. a_size-1] and b[0 .. b_size-1] into out, which overlaps neither.
static inline void bench_merge_serial(const int *a, long a_size, const int *b, long b_size,
                                      int *out) {
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

/// Where value belongs in the sorted run[0 .. n-1]: the number of its elements less than value.
static inline long bench_lower_bound(const int *run, long n, int value) {
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
