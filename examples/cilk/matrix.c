// SPDX-License-Identifier: MIT
#include "matrix.h"

#include "example.h"

#include <math.h>
#include <stdlib.h>

// The tile of c that one pass over the inner dimension makes: that many sums stay in registers.
enum { tile = 4 };

/// Two doubles side by side, as every x86-64 and AArch64 has them: gcc 12 -O2 makes vectors of no
/// loop by itself.
typedef double pair __attribute__((vector_size(16)));

struct matrix matrix_new(long rows, long columns) {
    struct matrix matrix = {example_memory((uint64_t)(rows * columns), sizeof(double)), rows,
                            columns, columns};
    return matrix;
}

void matrix_fill(struct matrix matrix, uint64_t seed) {
    for (long i = 0; i < matrix.rows; i++) {
        for (long j = 0; j < matrix.columns; j++) {
            matrix.at[i * matrix.stride + j] = 2 * example_random_double(&seed) - 1;
        }
    }
}

/// Copies `a` in strips of four rows: out[strip][column][row]. What is missing of the last is zero.
/// With the stride of a whole matrix, rows fall into the same few sets of the cache.
static void pack_rows(double *out, struct matrix a) {
    for (long strip = 0; strip < a.rows; strip += tile) {
        for (long k = 0; k < a.columns; k++) {
            for (long row = strip; row < strip + tile; row++) {
                *out++ = row < a.rows ? a.at[row * a.stride + k] : 0;
            }
        }
    }
}

/// Copies factor * b in strips of four columns: out[strip][row][column].
static void pack_columns(double *out, struct matrix b, double factor) {
    for (long strip = 0; strip < b.columns; strip += tile) {
        for (long k = 0; k < b.rows; k++) {
            for (long column = strip; column < strip + tile; column++) {
                *out++ = column < b.columns ? factor * b.at[k * b.stride + column] : 0;
            }
        }
    }
}

/// c += a * b for a tile of c and a strip of each.
static void multiply_strips(struct matrix c, const double *a, const double *b, long inner) {
    pair sum[tile][tile / 2] = {{{0}}};
    for (long k = 0; k < inner; k++) {
        pair low = *(const pair *)(b + tile * k);
        pair high = *(const pair *)(b + tile * k + 2);
#pragma GCC unroll 4
        for (int row = 0; row < tile; row++) {
            sum[row][0] += a[tile * k + row] * low;
            sum[row][1] += a[tile * k + row] * high;
        }
    }
    for (long row = 0; row < tile && row < c.rows; row++) {
        for (long column = 0; column < tile && column < c.columns; column++) {
            c.at[row * c.stride + column] += sum[row][column / 2][column % 2];
        }
    }
}

void matrix_multiply_leaf(struct matrix c, struct matrix a, struct matrix b, double factor) {
    _Alignas(64) double a_strips[MATRIX_LEAF * MATRIX_LEAF];
    _Alignas(64) double b_strips[MATRIX_LEAF * MATRIX_LEAF];
    pack_rows(a_strips, a);
    pack_columns(b_strips, b, factor);
    long inner = a.columns;
    for (long i = 0; i < c.rows; i += tile) {
        for (long j = 0; j < c.columns; j += tile) {
            struct matrix part = matrix_part(c, i, j, c.rows - i, c.columns - j);
            multiply_strips(part, a_strips + i * inner, b_strips + j * inner, inner);
        }
    }
}

void matrix_apply(struct matrix matrix, const double *in, double *out) {
    for (long i = 0; i < matrix.rows; i++) {
        double sum = 0;
        for (long j = 0; j < matrix.columns; j++) {
            sum += matrix.at[i * matrix.stride + j] * in[j];
        }
        out[i] = sum;
    }
}

int matrix_is_product(struct matrix c, struct matrix a, struct matrix b) {
    double *x = example_memory((uint64_t)b.columns, sizeof(double));
    double *bx = example_memory((uint64_t)b.rows, sizeof(double));
    double *abx = example_memory((uint64_t)a.rows, sizeof(double));
    double *cx = example_memory((uint64_t)c.rows, sizeof(double));
    uint64_t seed = 1;
    for (long i = 0; i < b.columns; i++) {
        x[i] = example_random_double(&seed);
    }
    matrix_apply(b, x, bx);
    matrix_apply(a, bx, abx);
    matrix_apply(c, x, cx);
    int right = 1;
    for (long i = 0; i < c.rows; i++) {
        // Elements are at most 1; a fast product loses some more digits than the plain one.
        double rounding = 1e-12 * (double)(a.columns * b.columns);
        if (!(fabs(cx[i] - abx[i]) <= rounding)) {
            right = 0;
        }
    }
    free(x);
    free(bx);
    free(abx);
    free(cx);
    return right;
}
