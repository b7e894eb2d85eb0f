// SPDX-License-Identifier: MIT
// The serial sort and merge at the leaves of all cilksorts.
#include "cilk/sort_leaves.h"
#include "cilksort/cilksort.h"

/// Below this many elements insertion beats partitioning. Cilk-5's value.
#define BENCH_INSERTION_CUTOFF 20

static void swap(int *a, int *b) {
    int kept = *a;
    *a = *b;
    *b = kept;
}

/// Cuts array[0 .. n-1], n >= 3, at a median of three: returns k, 0 < k < n, such that nothing
/// in array[0 .. k-1] is greater than anything in array[k .. n-1].
static long partition(int *array, long n) {
    long middle = n / 2;
    if (array[middle] < array[0])
        swap(&array[middle], &array[0]);
    if (array[n - 1] < array[0])
        swap(&array[n - 1], &array[0]);
    if (array[n - 1] < array[middle])
        swap(&array[n - 1], &array[middle]);
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
        if (low >= high)
            return low;
        swap(&array[low], &array[high]);
    }
}

void bench_quick_sort(int *array, long n) {
    while (n >= BENCH_INSERTION_CUTOFF) {
        long cut = partition(array, n);
        if (cut <= n - cut) {
            bench_quick_sort(array, cut);
            array += cut;
            n -= cut;
        } else {
            bench_quick_sort(array + cut, n - cut);
            n = cut;
        }
    }
    sort_leaf_insertion(array, n);
}

void bench_merge_serial(const int *a, long a_size, const int *b, long b_size, int *out) {
    sort_leaf_merge(a, a_size, b, b_size, out);
}

long bench_lower_bound(const int *run, long n, int value) {
    return sort_leaf_lower_bound(run, n, value);
}
