// SPDX-License-Identifier: MIT
// Clones written by hand, with points at which a test can interfere.
#pragma once

#ifdef __cplusplus
extern "C" {
#endif

// Where a clone is when it calls the hook.
enum test_point {
    point_in_child,        // in a spawned child, its parent's frame is on the deque
    point_behind_spawn,    // in a slow clone, behind the spawn
    point_before_suspend,  // in a fast clone whose callee has not finished, before it waits
    point_before_handover, // in a fast clone whose spawned child has not finished, before its pop
    point_before_await,    // in an ordinary entry whose callee has not finished, before it waits
    point_ended,           // in a slow clone, after sg_return
};

// Called at each point with the `tag` that the test gave to the function, if set.
extern void (*test_hook)(enum test_point point, int tag);

// x = spawn child(1); y = child(2): returns 10 * x + y = 12. All points.
long test_pair(int tag);

// Calls a function that calls a function that calls test_pair's: 12 + 100 + 1000 + 10000.
long test_three_deep(int tag);

// x = spawn (test_pair's); y = 5: returns 100 * x + y = 1205. Its own points have tag + 1.
long test_nested_spawn(int tag);

// As test_pair, with a result of `n` longs: {n, n - 1, ..., 1} + {100, 100, ...}.
struct test_wide {
    long value[8];
};
struct test_wide test_wide_pair(int tag);

// The product of two n by n matrices, n a power of 2, by quadrants: each quadrant is the sum of two
// products that are computed by two children into temporaries whose addresses they get.
void test_matmul(const long *a, const long *b, long *c, int n);

// Sorts by libc's qsort with a comparison that spawns.
void test_qsort(int *array, int n, int tag);

// How many ways there are to place n queens on an n by n board; a spawn for every safe square, in a
// loop. 1 <= n <= TEST_QUEENS_MAX. No points.
#define TEST_QUEENS_MAX 16
int test_nqueens(int n);

// Sorts array[0 .. n-1]; scratch holds n more elements. No points.
void test_cilksort(int *array, int *scratch, long n);

#ifdef __cplusplus
}
#endif
