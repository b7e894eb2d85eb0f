// SPDX-License-Identifier: MIT
// cilksort as Lace's tasks.
#include "runtimes/lace.hpp"

#include "cilksort/cilksort.hpp"

namespace saguaro::bench {

namespace {

VOID_TASK_5(merge_task, const int *, a, long, a_size, const int *, b, long, b_size, int *, out) {
    if (a_size + b_size < BENCH_MERGE_CUTOFF) {
        bench_merge_serial(a, a_size, b, b_size, out);
        return;
    }
    if (a_size < b_size) {
        CALL(merge_task, b, b_size, a, a_size, out);
        return;
    }
    long middle = a_size / 2;
    long cut = bench_lower_bound(b, b_size, a[middle]);
    out[middle + cut] = a[middle];
    SPAWN(merge_task, a, middle, b, cut, out);
    CALL(merge_task, a + middle + 1, a_size - middle - 1, b + cut, b_size - cut,
         out + middle + cut + 1);
    SYNC(merge_task);
}

VOID_TASK_3(sort_task, int *, array, int *, scratch, long, n) {
    if (n < BENCH_SORT_CUTOFF) {
        bench_quick_sort(array, n);
        return;
    }
    long quarter = n / 4;
    long half = 2 * quarter;
    long rest = n - 3 * quarter;
    SPAWN(sort_task, array, scratch, quarter);
    SPAWN(sort_task, array + quarter, scratch + quarter, quarter);
    SPAWN(sort_task, array + half, scratch + half, quarter);
    CALL(sort_task, array + half + quarter, scratch + half + quarter, rest);
    SYNC(sort_task);
    SYNC(sort_task);
    SYNC(sort_task);
    SPAWN(merge_task, array, quarter, array + quarter, quarter, scratch);
    CALL(merge_task, array + half, quarter, array + half + quarter, rest, scratch + half);
    SYNC(merge_task);
    CALL(merge_task, scratch, half, scratch + half, n - half, array);
}

void solve(int *array, int *scratch, long n) {
    RUN(sort_task, array, scratch, n);
}

} // namespace

double cilksort_lace(long n, int workers) {
    return measure_cilksort<lace_runtime>(n, workers, solve);
}

} // namespace saguaro::bench
