// SPDX-License-Identifier: MIT
// cilksort as clones, with small cutoffs for tests.
#include "cilk/sort_leaves.h"
#include "clones.h"

#include <stdlib.h>

#define SORT_CUTOFF 2048
#define MERGE_CUTOFF 2048
#define merge_serially sort_leaf_merge
#define lower_bound sort_leaf_lower_bound

static int compare(const void *a, const void *b) {
    const int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}

static void sort_serially(int *array, long n) {
    qsort(array, (size_t)n, sizeof *array, compare);
}

#define cilksort_by_clones test_cilksort
#include "clones/cilksort.h"
