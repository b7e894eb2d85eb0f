// SPDX-License-Identifier: MIT
//
// The product of an m x k matrix and a k x n matrix of any shape: the longest of the three is cut
// into halves. Halves of rows or columns of the result are parallel; halves of k are added to the
// same result, so that one waits for the other.
#include "example.h"
#include "matrix.h"

#include <cilk/cilk.h>

/// c += a * b
static void multiply(struct matrix c, struct matrix a, struct matrix b) {
    long m = c.rows;
    long n = c.columns;
    long k = a.columns;
    if (m <= MATRIX_LEAF && n <= MATRIX_LEAF && k <= MATRIX_LEAF) {
        matrix_multiply_leaf(c, a, b, 1);
    } else if (m >= n && m >= k) {
        long half = m / 2;
        cilk_spawn multiply(matrix_part(c, 0, 0, half, n), matrix_part(a, 0, 0, half, k), b);
        multiply(matrix_part(c, half, 0, m - half, n), matrix_part(a, half, 0, m - half, k), b);
        cilk_sync;
    } else if (n >= k) {
        long half = n / 2;
        cilk_spawn multiply(matrix_part(c, 0, 0, m, half), a, matrix_part(b, 0, 0, k, half));
        multiply(matrix_part(c, 0, half, m, n - half), a, matrix_part(b, 0, half, k, n - half));
        cilk_sync;
    } else {
        long half = k / 2;
        multiply(c, matrix_part(a, 0, 0, m, half), matrix_part(b, 0, 0, half, n));
        multiply(c, matrix_part(a, 0, half, m, k - half), matrix_part(b, half, 0, k - half, n));
    }
}

static const struct example program = {
    .name = "rectmul",
    .meaning = "The product of two random matrices of any shape",
    .size = {"M", "rows of the product", 1100, 1, 16384},
    .options = {{"inner", "columns of the first factor, rows of the second", 700, 1, 16384},
                {"columns", "columns of the product", 1300, 1, 16384},
                {"seed", "of the random numbers", 1, 0, INT32_MAX}},
};

int main(int argc, char *argv[]) {
    struct example_run run = example_begin(argc, argv, &program);
    long inner = run.options[0];
    long columns = run.options[1];
    uint64_t seed = (uint64_t)run.options[2];
    struct matrix a = matrix_new(run.size, inner);
    struct matrix b = matrix_new(inner, columns);
    struct matrix c = matrix_new(run.size, columns);
    matrix_fill(a, seed);
    matrix_fill(b, seed + 1);
    double start = example_seconds();
    multiply(c, a, b);
    double seconds = example_seconds() - start;
    int right = !run.check || matrix_is_product(c, a, b);
    return example_end(&run, seconds, right, "the last element is %.9f",
                       c.at[run.size * columns - 1]);
}
