// SPDX-License-Identifier: MIT
//
// The product of two n x n matrices: four quadrants of the result in parallel, each the sum of two
// products of quadrants.
#include "example.h"
#include "matrix.h"

#include <cilk/cilk.h>

/// c += a * b. Halves of an odd side differ by one, and so may the sides of a quadrant.
static void multiply(struct matrix c, struct matrix a, struct matrix b) {
    long m = c.rows;
    long n = c.columns;
    long k = a.columns;
    if (m <= MATRIX_LEAF && n <= MATRIX_LEAF && k <= MATRIX_LEAF) {
        matrix_multiply_leaf(c, a, b, 1);
        return;
    }
    long row = m / 2;
    long column = n / 2;
    long inner = k / 2;
    struct matrix a_left[2] = {matrix_part(a, 0, 0, row, inner),
                               matrix_part(a, row, 0, m - row, inner)};
    struct matrix a_right[2] = {matrix_part(a, 0, inner, row, k - inner),
                                matrix_part(a, row, inner, m - row, k - inner)};
    struct matrix b_top[2] = {matrix_part(b, 0, 0, inner, column),
                              matrix_part(b, 0, column, inner, n - column)};
    struct matrix b_bottom[2] = {matrix_part(b, inner, 0, k - inner, column),
                                 matrix_part(b, inner, column, k - inner, n - column)};
    struct matrix c11 = matrix_part(c, 0, 0, row, column);
    struct matrix c12 = matrix_part(c, 0, column, row, n - column);
    struct matrix c21 = matrix_part(c, row, 0, m - row, column);
    struct matrix c22 = matrix_part(c, row, column, m - row, n - column);
    cilk_spawn multiply(c11, a_left[0], b_top[0]);
    cilk_spawn multiply(c12, a_left[0], b_top[1]);
    cilk_spawn multiply(c21, a_left[1], b_top[0]);
    multiply(c22, a_left[1], b_top[1]);
    cilk_sync;
    cilk_spawn multiply(c11, a_right[0], b_bottom[0]);
    cilk_spawn multiply(c12, a_right[0], b_bottom[1]);
    cilk_spawn multiply(c21, a_right[1], b_bottom[0]);
    multiply(c22, a_right[1], b_bottom[1]);
    cilk_sync;
}

static const struct example program = {
    .name = "matmul",
    .meaning = "The product of two random n x n matrices, eight products of quadrants a level",
    .size = {"N", "the side of the matrices", 1024, 1, 16384},
    .options = {{"seed", "of the random numbers", 1, 0, INT32_MAX}},
};

int main(int argc, char *argv[]) {
    struct example_run run = example_begin(argc, argv, &program);
    struct matrix a = matrix_new(run.size, run.size);
    struct matrix b = matrix_new(run.size, run.size);
    struct matrix c = matrix_new(run.size, run.size);
    matrix_fill(a, (uint64_t)run.options[0]);
    matrix_fill(b, (uint64_t)run.options[0] + 1);
    double start = example_seconds();
    multiply(c, a, b);
    double seconds = example_seconds() - start;
    int right = !run.check || matrix_is_product(c, a, b);
    return example_end(&run, seconds, right, "the last element is %.9f",
                       c.at[run.size * run.size - 1]);
}
