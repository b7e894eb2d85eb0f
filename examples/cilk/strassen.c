// SPDX-License-Identifier: MIT
//
// The product of two n x n matrices by Strassen's seven products a level, in Winograd's form with
// fifteen sums. The products are parallel; so are the sums, for they are a quarter of the work of
// the last levels and would be serial otherwise.
#include "example.h"
#include "matrix.h"

#include <cilk/cilk.h>
#include <stdlib.h>
#include <string.h>

enum {
    // Rows of a sum that one strand makes.
    sum_rows = 128,
    quadrants = 11
};

/// out = a + sign * b
static void add_rows(struct matrix out, struct matrix a, struct matrix b, double sign) {
    for (long i = 0; i < out.rows; i++) {
        double *to = out.at + i * out.stride;
        const double *left = a.at + i * a.stride;
        const double *right = b.at + i * b.stride;
        for (long j = 0; j < out.columns; j++) {
            to[j] = left[j] + sign * right[j];
        }
    }
}

/// The same in parallel.
static void add(struct matrix out, struct matrix a, struct matrix b, double sign) {
    if (out.rows <= sum_rows) {
        add_rows(out, a, b, sign);
        return;
    }
    long half = out.rows / 2;
    long rest = out.rows - half;
    long n = out.columns;
    cilk_spawn add(matrix_part(out, 0, 0, half, n), matrix_part(a, 0, 0, half, n),
                   matrix_part(b, 0, 0, half, n), sign);
    add(matrix_part(out, half, 0, rest, n), matrix_part(a, half, 0, rest, n),
        matrix_part(b, half, 0, rest, n), sign);
    cilk_sync;
}

/// c = a * b by the definition; for leaves, and for sides that cannot be halved.
static void multiply_plainly(struct matrix c, struct matrix a, struct matrix b) {
    long n = c.rows;
    for (long i = 0; i < n; i++) {
        memset(c.at + i * c.stride, 0, (size_t)n * sizeof(double));
    }
    for (long i = 0; i < n; i += MATRIX_LEAF) {
        for (long j = 0; j < n; j += MATRIX_LEAF) {
            for (long k = 0; k < n; k += MATRIX_LEAF) {
                long rows = n - i < MATRIX_LEAF ? n - i : MATRIX_LEAF;
                long columns = n - j < MATRIX_LEAF ? n - j : MATRIX_LEAF;
                long inner = n - k < MATRIX_LEAF ? n - k : MATRIX_LEAF;
                matrix_multiply_leaf(matrix_part(c, i, j, rows, columns),
                                     matrix_part(a, i, k, rows, inner),
                                     matrix_part(b, k, j, inner, columns), 1);
            }
        }
    }
}

/// c = a * b
static void multiply(struct matrix c, struct matrix a, struct matrix b) {
    long n = c.rows;
    if (n <= MATRIX_LEAF || n % 2 != 0) {
        multiply_plainly(c, a, b);
        return;
    }
    long h = n / 2;
    struct matrix a11 = matrix_part(a, 0, 0, h, h), a12 = matrix_part(a, 0, h, h, h);
    struct matrix a21 = matrix_part(a, h, 0, h, h), a22 = matrix_part(a, h, h, h, h);
    struct matrix b11 = matrix_part(b, 0, 0, h, h), b12 = matrix_part(b, 0, h, h, h);
    struct matrix b21 = matrix_part(b, h, 0, h, h), b22 = matrix_part(b, h, h, h, h);
    struct matrix c11 = matrix_part(c, 0, 0, h, h), c12 = matrix_part(c, 0, h, h, h);
    struct matrix c21 = matrix_part(c, h, 0, h, h), c22 = matrix_part(c, h, h, h, h);
    double *scratch = example_memory((uint64_t)(quadrants * h * h), sizeof(double));
    struct matrix of[quadrants];
    for (int i = 0; i < quadrants; i++) {
        struct matrix quadrant = {scratch + i * h * h, h, h, h};
        of[i] = quadrant;
    }
    // s1 to s4 are of[0] to of[3], t1 to t4 of[4] to of[7], p1, p6 and p7 of[8] to of[10].
    cilk_spawn add(of[2], a11, a21, -1);
    cilk_spawn add(of[6], b22, b12, -1);
    cilk_spawn add(of[0], a21, a22, 1);
    add(of[4], b12, b11, -1);
    cilk_sync;
    cilk_spawn add(of[1], of[0], a11, -1);
    add(of[5], b22, of[4], -1);
    cilk_sync;
    cilk_spawn add(of[3], a12, of[1], -1);
    add(of[7], of[5], b21, -1);
    cilk_sync;

    cilk_spawn multiply(of[8], a11, b11);
    cilk_spawn multiply(c11, a12, b21);
    cilk_spawn multiply(c12, of[3], b22);
    cilk_spawn multiply(c21, a22, of[7]);
    cilk_spawn multiply(c22, of[0], of[4]);
    cilk_spawn multiply(of[9], of[1], of[5]);
    multiply(of[10], of[2], of[6]);
    cilk_sync;

    // c11 = p1 + p2; u2 = p1 + p6; u3 = u2 + p7
    cilk_spawn add(c11, c11, of[8], 1);
    add(of[9], of[9], of[8], 1);
    cilk_sync;
    // c12 = p3 + u2 + p5; c21 = u3 - p4; c22 = u3 + p5
    cilk_spawn add(of[10], of[10], of[9], 1);
    cilk_spawn add(c12, c12, of[9], 1);
    cilk_sync;
    add(c12, c12, c22, 1);
    cilk_spawn add(c21, of[10], c21, -1);
    add(c22, c22, of[10], 1);
    cilk_sync;
    free(scratch);
}

static const struct example program = {
    .name = "strassen",
    .meaning = "The product of two random n x n matrices by Strassen's seven products a level",
    .size = {"N", "the side of the matrices; a power of two is best", 1024, 1, 16384},
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
