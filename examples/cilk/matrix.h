// SPDX-License-Identifier: MIT
//
// What the programs on dense matrices share: memory, random elements, a serial product of small
// matrices, and a check of a product. Matrices stand row by row; `stride` is the distance between
// rows in elements.
#pragma once

#include <stdint.h>

/// Up to this side a product is taken serially: 2 * 64^3 operations, about a tenth of a
/// millisecond.
#define MATRIX_LEAF 64

/// A part of a matrix.
struct matrix {
    double *at; // its first element
    long rows;
    long columns;
    long stride;
};

/// Two elements side by side, as every x86-64 and AArch64 has them, at any element's address: gcc
/// 12 -O2 makes vectors of few loops by itself.
typedef double matrix_pair __attribute__((vector_size(16), aligned(8), may_alias));

/// The elements (row, column) and (row, column + 1).
static inline matrix_pair *matrix_pair_at(struct matrix matrix, long row, long column) {
    return (matrix_pair *)(matrix.at + row * matrix.stride + column);
}

/// A matrix of zeros. Free `at` with free().
struct matrix matrix_new(long rows, long columns);

/// Numbers between -1 and 1.
void matrix_fill(struct matrix matrix, uint64_t seed);

/// The part that begins at (row, column).
static inline struct matrix matrix_part(struct matrix whole, long row, long column, long rows,
                                        long columns) {
    struct matrix part = {whole.at + row * whole.stride + column, rows, columns, whole.stride};
    return part;
}

/// c += factor * a * b, serially; any sizes that fit together up to MATRIX_LEAF. c overlaps
/// neither.
void matrix_multiply_leaf(struct matrix c, struct matrix a, struct matrix b, double factor);

/// Whether c = a * b up to rounding, by Freivalds' method: both sides times a random vector. A c
/// with a wrong element passes with a probability of about 2^-53.
int matrix_is_product(struct matrix c, struct matrix a, struct matrix b);

/// out = matrix * in
void matrix_apply(struct matrix matrix, const double *in, double *out);
