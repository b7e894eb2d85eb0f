// SPDX-License-Identifier: MIT
//
// Common parts of all forms of cilksort, in C and in C++: the serial sort and the serial merge
// below the cutoffs, and the search that cuts a merge in two. The algorithm is that of the Cilk-5
// example: sort four quarters, merge them in two pairs, merge the pairs; a merge cuts the longer
// run at its middle and the other one at the place where that middle belongs.
//
// Those three are functions of one object file (leaves.c), which each program of the grid links,
// whatever compiler made the rest: 99 instructions of 100 are theirs. As inline functions they were
// compiled anew into every variant, and what the compiler made of the merge's loop there, up to 2.3
// instructions of 100, was more than a runtime costs.
#pragma once

#ifdef __cplusplus
extern "C" {
#endif

/// Below this many elements a range is sorted serially. Cilk-5's value.
#define BENCH_SORT_CUTOFF 2048

/// Below this many elements, both runs together, a merge is serial.
#define BENCH_MERGE_CUTOFF 4096

/// Sorts array[0 .. n-1] serially: quicksort down to insertion sort. Recurses into the shorter
/// part only, so the stack stays below log2(n) calls whatever the input.
void bench_quick_sort(int *array, long n);

/// Merges the sorted runs a[0 .. a_size-1] and b[0 .. b_size-1] into out, which overlaps neither.
void bench_merge_serial(const int *a, long a_size, const int *b, long b_size, int *out);

/// Where value belongs in the sorted run[0 .. n-1]: the number of its elements less than value.
long bench_lower_bound(const int *run, long n, int value);

/// Sorts array[0 .. n-1] into ascending order; the serial elision of the clones. scratch holds n
/// more elements, which do not overlap array; what it holds afterwards means nothing. n >= 0.
void bench_cilksort_serial(int *array, int *scratch, long n);

/// The same by clones. Call it inside saguaro::run.
void bench_cilksort_c(int *array, int *scratch, long n);

#ifdef __cplusplus
}
#endif
