// SPDX-License-Identifier: MIT
// cilksort's serial elision, the base of its ratios.
#include "cilksort/cilksort.h"

static void merge(const int *a, long a_size, const int *b, long b_size, int *out) {
    if (a_size + b_size < BENCH_MERGE_CUTOFF) {
        bench_merge_serial(a, a_size, b, b_size, out);
        return;
    }
    if (a_size < b_size) {
        merge(b, b_size, a, a_size, out);
        return;
    }
    long middle = a_size / 2;
    long cut = bench_lower_bound(b, b_size, a[middle]);
    out[middle + cut] = a[middle];
    merge(a, middle, b, cut, out);
    merge(a + middle + 1, a_size - middle - 1, b + cut, b_size - cut, out + middle + cut + 1);
}

void bench_cilksort_serial(int *array, int *scratch, long n) {
    if (n < BENCH_SORT_CUTOFF) {
        bench_quick_sort(array, n);
        return;
    }
    long quarter = n / 4;
    long half = 2 * quarter;
    long rest = n - 3 * quarter;
    bench_cilksort_serial(array, scratch, quarter);
    bench_cilksort_serial(array + quarter, scratch + quarter, quarter);
    bench_cilksort_serial(array + half, scratch + half, quarter);
    bench_cilksort_serial(array + half + quarter, scratch + half + quarter, rest);
    merge(array, quarter, array + quarter, quarter, scratch);
    merge(array + half, quarter, array + half + quarter, rest, scratch + half);
    merge(scratch, half, scratch + half, n - half, array);
}
