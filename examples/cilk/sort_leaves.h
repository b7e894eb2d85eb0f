// SPDX-License-Identifier: MIT
// What the leaves of a merge sort do serially: they sort by insertion, merge two runs, and look
// where a value belongs.
#pragma once

#include <string.h>

/// Merges the sorted runs a[0 .. a_size-1] and b[0 .. b_size-1] into out, which overlaps neither.
static inline void sort_leaf_merge(const int *a, long a_size, const int *b, long b_size, int *out) {
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

/// Sorts array[0 .. n-1], of which there are few.
static inline void sort_leaf_insertion(int *array, long n) {
    for (long i = 1; i < n; i++) {
        int value = array[i];
        long hole = i;
        for (; hole > 0 && array[hole - 1] > value; hole--)
            array[hole] = array[hole - 1];
        array[hole] = value;
    }
}

/// How many elements of the sorted run are less than value.
static inline long sort_leaf_lower_bound(const int *run, long n, int value) {
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
