// SPDX-License-Identifier: MIT
//
// The clones of cilksort, with the leaves that all its forms share.
#include "cilksort/cilksort.h"

#define SORT_CUTOFF BENCH_SORT_CUTOFF
#define MERGE_CUTOFF BENCH_MERGE_CUTOFF
#define sort_serially bench_quick_sort
#define merge_serially bench_merge_serial
#define lower_bound bench_lower_bound
#define cilksort_by_clones bench_cilksort_c
#include "clones/cilksort.h"
