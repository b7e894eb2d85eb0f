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

/// Of half the side of a level: s1 to s4, t1 to t4, p1, p6, p7.
enum { quadrants = 11 };

/// One level of c = a * b: quadrants, row by row, and what is kept between the products.
struct level {
    struct matrix a[4], b[4], c[4];
    struct matrix s[4], t[4];
    struct matrix p1, p6, p7;
};

static void quarter(struct matrix part[4], struct matrix whole) {
    long h = whole.rows / 2;
    for (int i = 0; i < 4; i++)
        part[i] = matrix_part(whole, i / 2 * h, i % 2 * h, h, h);
}

static struct level level_of(struct matrix c, struct matrix a, struct matrix b, double *scratch) {
    struct level level;
    quarter(level.a, a);
    quarter(level.b, b);
    quarter(level.c, c);
    struct matrix of[quadrants];
    long h = c.rows / 2;
    for (int i = 0; i < quadrants; i++) {
        struct matrix quadrant = {scratch + i * h * h, h, h, h};
        of[i] = quadrant;
    }
    memcpy(level.s, of, sizeof(level.s));
    memcpy(level.t, of + 4, sizeof(level.t));
    level.p1 = of[8];
    level.p6 = of[9];
    level.p7 = of[10];
    return level;
}

/// Row i of what the products multiply: s1 = a21 + a22, s2 = s1 - a11, s3 = a11 - a21,
/// s4 = a12 - s2; t1 = b12 - b11, t2 = b22 - t1, t3 = b22 - b12, t4 = t2 - b21.
static void sums_before(const struct level *restrict l, long i) {
    for (long j = 0; j < l->p1.columns; j += 2) {
        matrix_pair a11 = *matrix_pair_at(l->a[0], i, j);
        matrix_pair a21 = *matrix_pair_at(l->a[2], i, j);
        matrix_pair s1 = a21 + *matrix_pair_at(l->a[3], i, j);
        matrix_pair s2 = s1 - a11;
        *matrix_pair_at(l->s[0], i, j) = s1;
        *matrix_pair_at(l->s[1], i, j) = s2;
        *matrix_pair_at(l->s[2], i, j) = a11 - a21;
        *matrix_pair_at(l->s[3], i, j) = *matrix_pair_at(l->a[1], i, j) - s2;
    }
    for (long j = 0; j < l->p1.columns; j += 2) {
        matrix_pair b12 = *matrix_pair_at(l->b[1], i, j);
        matrix_pair b22 = *matrix_pair_at(l->b[3], i, j);
        matrix_pair t1 = b12 - *matrix_pair_at(l->b[0], i, j);
        matrix_pair t2 = b22 - t1;
        *matrix_pair_at(l->t[0], i, j) = t1;
        *matrix_pair_at(l->t[1], i, j) = t2;
        *matrix_pair_at(l->t[2], i, j) = b22 - b12;
        *matrix_pair_at(l->t[3], i, j) = t2 - *matrix_pair_at(l->b[2], i, j);
    }
}

/// Row i of the result, where the products p2 to p5 are in c: u2 = p1 + p6, u3 = u2 + p7;
/// c11 = p1 + p2, c12 = p3 + u2 + p5, c21 = u3 - p4, c22 = u3 + p5.
static void sums_behind(const struct level *restrict l, long i) {
    for (long j = 0; j < l->p1.columns; j += 2) {
        matrix_pair p1 = *matrix_pair_at(l->p1, i, j);
        matrix_pair p5 = *matrix_pair_at(l->c[3], i, j);
        matrix_pair u2 = p1 + *matrix_pair_at(l->p6, i, j);
        matrix_pair u3 = u2 + *matrix_pair_at(l->p7, i, j);
        *matrix_pair_at(l->c[0], i, j) += p1;
        *matrix_pair_at(l->c[1], i, j) += u2 + p5;
        *matrix_pair_at(l->c[2], i, j) = u3 - *matrix_pair_at(l->c[2], i, j);
        *matrix_pair_at(l->c[3], i, j) = u3 + p5;
    }
}

/// c = a * b by the definition; for leaves, and for sides that cannot be halved.
static void multiply_plainly(struct matrix c, struct matrix a, struct matrix b) {
    long n = c.rows;
    for (long i = 0; i < n; i++)
        memset(c.at + i * c.stride, 0, (size_t)n * sizeof(double));
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
    // The rows of a quadrant are pairs.
    if (n <= MATRIX_LEAF || n % 4 != 0) {
        multiply_plainly(c, a, b);
        return;
    }
    long h = n / 2;
    double *scratch = example_scratch((uint64_t)(quadrants * h * h), sizeof(double));
    struct level l = level_of(c, a, b, scratch);
#pragma cilk grainsize = 32
    cilk_for(long i = 0; i < h; i++) {
        sums_before(&l, i);
    }
    cilk_spawn multiply(l.p1, l.a[0], l.b[0]);
    cilk_spawn multiply(l.c[0], l.a[1], l.b[2]); // p2
    cilk_spawn multiply(l.c[1], l.s[3], l.b[3]); // p3
    cilk_spawn multiply(l.c[2], l.a[3], l.t[3]); // p4
    cilk_spawn multiply(l.c[3], l.s[0], l.t[0]); // p5
    cilk_spawn multiply(l.p6, l.s[1], l.t[1]);
    multiply(l.p7, l.s[2], l.t[2]);
    cilk_sync;
#pragma cilk grainsize = 32
    cilk_for(long i = 0; i < h; i++) {
        sums_behind(&l, i);
    }
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
