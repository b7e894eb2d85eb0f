// SPDX-License-Identifier: MIT
// Dense matrices in memory, their serial product by tiles, and the check of a product.
#include "matrix.h"

#include "example.h"

#include <math.h>
#include <stdlib.h>

// The tile of c that one pass over the inner dimension makes: that many sums stay in registers.
enum { tile = 4 };

struct matrix matrix_new(long rows, long columns) {
    struct matrix matrix = {example_memory((uint64_t)(rows * columns), sizeof(double)), rows,
                            columns, columns};
    return matrix;
}

void matrix_fill(struct matrix matrix, uint64_t seed) {
    for (long i = 0; i < matrix.rows; i++)
        for (long j = 0; j < matrix.columns; j++)
            matrix.at[i * matrix.stride + j] = 2 * example_random_double(&seed) - 1;
}

/// Copies factor * b in strips of four columns: out[strip][row][column]. What is missing of the
/// last is zero. With the stride of a whole matrix, the rows of b fall into the same few sets of
/// the cache.
static void pack_columns(double *out, struct matrix b, double factor) {
    for (long k = 0; k < b.rows; k++) {
        long strip = 0;
        for (; strip + tile <= b.columns; strip += tile) {
            matrix_pair *to = (matrix_pair *)(out + strip * b.rows + tile * k);
            to[0] = factor * *matrix_pair_at(b, k, strip);
            to[1] = factor * *matrix_pair_at(b, k, strip + 2);
        }
        for (long column = strip; column % tile != 0 || column < b.columns; column++) {
            out[strip * b.rows + tile * k + (column - strip)] =
                column < b.columns ? factor * b.at[k * b.stride + column] : 0;
        }
    }
}

/// The rows of a tile of sums that c has.
static void add_sums(struct matrix c, matrix_pair sum[tile][tile / 2]) {
    for (long row = 0; row < tile && row < c.rows; row++) {
        if (c.columns >= tile) {
            *matrix_pair_at(c, row, 0) += sum[row][0];
            *matrix_pair_at(c, row, 2) += sum[row][1];
            continue;
        }
        for (long column = 0; column < c.columns; column++)
            c.at[row * c.stride + column] += sum[row][column / 2][column % 2];
    }
}

/// c += a * b for a tile of c, four rows of a and a strip of columns. Of a row that is missing the
/// last is taken instead, and its sums are dropped.
static void multiply_strips(struct matrix c, struct matrix a, const double *b) {
    const double *rows[tile];
    for (long row = 0; row < tile; row++)
        rows[row] = a.at + (row < a.rows ? row : a.rows - 1) * a.stride;
    matrix_pair sum[tile][tile / 2] = {{{0}}};
    for (long k = 0; k < a.columns; k++) {
        matrix_pair low = *(const matrix_pair *)(b + tile * k);
        matrix_pair high = *(const matrix_pair *)(b + tile * k + 2);
#pragma GCC unroll 4
        for (int row = 0; row < tile; row++) {
            sum[row][0] += rows[row][k] * low;
            sum[row][1] += rows[row][k] * high;
        }
    }
    add_sums(c, sum);
}

void matrix_multiply_leaf(struct matrix c, struct matrix a, struct matrix b, double factor) {
    _Alignas(64) double strips[MATRIX_LEAF * MATRIX_LEAF];
    pack_columns(strips, b, factor);
    for (long i = 0; i < c.rows; i += tile) {
        for (long j = 0; j < c.columns; j += tile) {
            struct matrix part = matrix_part(c, i, j, c.rows - i, c.columns - j);
            struct matrix rows = matrix_part(a, i, 0, a.rows - i, a.columns);
            multiply_strips(part, rows, strips + j * b.rows);
        }
    }
}

void matrix_apply(struct matrix matrix, const double *in, double *out) {
    for (long i = 0; i < matrix.rows; i++) {
        double sum = 0;
        for (long j = 0; j < matrix.columns; j++)
            sum += matrix.at[i * matrix.stride + j] * in[j];
        out[i] = sum;
    }
}

int matrix_is_product(struct matrix c, struct matrix a, struct matrix b) {
    double *x = example_memory((uint64_t)b.columns, sizeof(double));
    double *bx = example_memory((uint64_t)b.rows, sizeof(double));
    double *abx = example_memory((uint64_t)a.rows, sizeof(double));
    double *cx = example_memory((uint64_t)c.rows, sizeof(double));
    uint64_t seed = 1;
    for (long i = 0; i < b.columns; i++)
        x[i] = example_random_double(&seed);
    matrix_apply(b, x, bx);
    matrix_apply(a, bx, abx);
    matrix_apply(c, x, cx);
    int right = 1;
    for (long i = 0; i < c.rows; i++) {
        // Elements are at most 1; a fast product loses some more digits than the plain one.
        double rounding = 1e-12 * (double)(a.columns * b.columns);
        if (!(fabs(cx[i] - abx[i]) <= rounding))
            right = 0;
    }
    free(x);
    free(bx);
    free(abx);
    free(cx);
    return right;
}
