// SPDX-License-Identifier: MIT
//
// Sorts n integers: four quarters in parallel, merged in pairs, then the pairs. A merge is parallel
// as well: it cuts the longer run at its middle, and the other one where that middle belongs.
#include "example.h"
#include "sort_leaves.h"

#include <cilk/cilk.h>
#include <stdlib.h>
#include <string.h>

enum {
    // Up to this length a run is sorted, or merged, serially: some tens of microseconds.
    sort_leaf = 2048,
    merge_leaf = 8192,
    // Up to this length insertion is the fastest.
    insertion_leaf = 16
};

/// Merges two sorted runs. Which run the next one comes from is as good as random, so the choice is
/// arithmetic and not a branch that the processor would have to guess.
static void merge_serially(int *out, const int *a, long a_size, const int *b, long b_size) {
    const int *a_end = a + a_size;
    const int *b_end = b + b_size;
    while (a < a_end && b < b_end) {
        int left = *a;
        int right = *b;
        int from_b = right < left;
        *out++ = left ^ ((left ^ right) & -from_b);
        b += from_b;
        a += 1 - from_b;
    }
    memcpy(out, a, (size_t)(a_end - a) * sizeof *a);
    memcpy(out + (a_end - a), b, (size_t)(b_end - b) * sizeof *b);
}

/// Sorts `array` into itself or, if `to_scratch`, into `scratch`, which is as long.
static void sort_serially(int *array, int *scratch, long n, int to_scratch) {
    if (n <= insertion_leaf) {
        sort_leaf_insertion(array, n);
        if (to_scratch)
            memcpy(scratch, array, (size_t)n * sizeof *array);
        return;
    }
    long half = n / 2;
    sort_serially(array, scratch, half, !to_scratch);
    sort_serially(array + half, scratch + half, n - half, !to_scratch);
    int *from = to_scratch ? array : scratch;
    merge_serially(to_scratch ? scratch : array, from, half, from + half, n - half);
}

static void merge(int *out, const int *a, long a_size, const int *b, long b_size) {
    if (a_size < b_size) {
        merge(out, b, b_size, a, a_size);
    } else if (a_size + b_size <= merge_leaf) {
        merge_serially(out, a, a_size, b, b_size);
    } else {
        long a_cut = a_size / 2;
        long b_cut = sort_leaf_lower_bound(b, b_size, a[a_cut]);
        cilk_spawn merge(out, a, a_cut, b, b_cut);
        merge(out + a_cut + b_cut, a + a_cut, a_size - a_cut, b + b_cut, b_size - b_cut);
        cilk_sync;
    }
}

/// Sorts `array`; `scratch` is as long.
static void sort(int *array, int *scratch, long n) {
    if (n <= sort_leaf) {
        sort_serially(array, scratch, n, 0);
        return;
    }
    long quarter = n / 4;
    long rest = n - 3 * quarter;
    cilk_spawn sort(array, scratch, quarter);
    cilk_spawn sort(array + quarter, scratch + quarter, quarter);
    cilk_spawn sort(array + 2 * quarter, scratch + 2 * quarter, quarter);
    sort(array + 3 * quarter, scratch + 3 * quarter, rest);
    cilk_sync;
    cilk_spawn merge(scratch, array, quarter, array + quarter, quarter);
    merge(scratch + 2 * quarter, array + 2 * quarter, quarter, array + 3 * quarter, rest);
    cilk_sync;
    merge(array, scratch, 2 * quarter, scratch + 2 * quarter, quarter + rest);
}

/// A number that does not depend on the order, and hardly ever is the same for other integers.
static uint64_t fingerprint(const int *array, long n) {
    uint64_t sum = 0;
    for (long i = 0; i < n; i++) {
        uint64_t value = (uint64_t)array[i];
        sum += example_random(&value);
    }
    return sum;
}

static int is_sorted(const int *array, long n) {
    for (long i = 1; i < n; i++)
        if (array[i] < array[i - 1])
            return 0;
    return 1;
}

static const struct example program = {
    .name = "cilksort",
    .meaning = "Sorts random integers by a merge sort with parallel merges",
    .size = {"N", "how many integers", 10000000, 1, 1000000000},
    .options = {{"seed", "of the random numbers", 1, 0, INT32_MAX}},
};

int main(int argc, char *argv[]) {
    struct example_run run = example_begin(argc, argv, &program);
    long n = run.size;
    int *array = example_memory((uint64_t)n, sizeof *array);
    int *scratch = example_memory((uint64_t)n, sizeof *scratch);
    uint64_t seed = (uint64_t)run.options[0];
    for (long i = 0; i < n; i++)
        array[i] = (int)(uint32_t)example_random(&seed);
    memset(scratch, 1, (size_t)n * sizeof *scratch); // its pages come before the clock runs
    uint64_t before = fingerprint(array, n);
    double start = example_seconds();
    sort(array, scratch, n);
    double seconds = example_seconds() - start;
    int right = !run.check || (is_sorted(array, n) && fingerprint(array, n) == before);
    return example_end(&run, seconds, right, "the least is %d, the greatest %d", array[0],
                       array[n - 1]);
}
