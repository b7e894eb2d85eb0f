// SPDX-License-Identifier: MIT
//
// What every form of strassen shares, in C and in C++: the sums before the seven products, which
// matrices they multiply, and the sums behind. Strassen's algorithm in Winograd's form, with the
// layout of matmul.h, so that a sum of quadrants is one pass through memory.
#pragma once

#include "matmul/matmul.h"

#include <stdlib.h>

/// At this side and below, the eight products of quadrants are taken, serially.
#define BENCH_STRASSEN_CUTOFF 64

/// One level: c = a * b, each `side` wide. Holds what is live across the products.
struct bench_strassen {
    double *c;
    const double *a;
    const double *b;
    double *scratch; // s1 to s4, t1 to t4, then the products p1, p6, p7, a quadrant each
    long side;
};

/// The elements of a quadrant.
static inline long bench_strassen_quadrant(const struct bench_strassen *level) {
    return level->side / 2 * (level->side / 2);
}

/// s1 = a21 + a22, s2 = s1 - a11, s3 = a11 - a21, s4 = a12 - s2
static inline void bench_strassen_sums_a(double *s, const double *a, long quadrant) {
    const bench_pair *a11 = (const bench_pair *)a;
    bench_pair *s1 = (bench_pair *)s;
    long pairs = quadrant / 2;
    for (long i = 0; i < pairs; i++) {
        bench_pair a21 = a11[2 * pairs + i];
        bench_pair sum = a21 + a11[3 * pairs + i];
        bench_pair rest = sum - a11[i];
        s1[i] = sum;
        s1[pairs + i] = rest;
        s1[2 * pairs + i] = a11[i] - a21;
        s1[3 * pairs + i] = a11[pairs + i] - rest;
    }
}

/// t1 = b12 - b11, t2 = b22 - t1, t3 = b22 - b12, t4 = t2 - b21
static inline void bench_strassen_sums_b(double *t, const double *b, long quadrant) {
    const bench_pair *b11 = (const bench_pair *)b;
    bench_pair *t1 = (bench_pair *)t;
    long pairs = quadrant / 2;
    for (long i = 0; i < pairs; i++) {
        bench_pair b12 = b11[pairs + i];
        bench_pair b22 = b11[3 * pairs + i];
        bench_pair difference = b12 - b11[i];
        bench_pair rest = b22 - difference;
        t1[i] = difference;
        t1[pairs + i] = rest;
        t1[2 * pairs + i] = b22 - b12;
        t1[3 * pairs + i] = rest - b11[2 * pairs + i];
    }
}

/// Before the products. Ends the program if there is no memory.
static inline struct bench_strassen bench_strassen_begin(double *c, const double *a,
                                                         const double *b, long side) {
    struct bench_strassen level = {c, a, b, NULL, side};
    long quadrant = bench_strassen_quadrant(&level);
    level.scratch = (double *)malloc((size_t)quadrant * 11 * sizeof(double));
    if (level.scratch == NULL)
        abort();
    bench_strassen_sums_a(level.scratch, a, quadrant);
    bench_strassen_sums_b(level.scratch + 4 * quadrant, b, quadrant);
    return level;
}

/// The product number `step` of the seven, c = a * b. They write to different places: four of them
/// to the quadrants of the result.
static inline struct bench_product bench_strassen_step(const struct bench_strassen *level,
                                                       int step) {
    long quadrant = bench_strassen_quadrant(level);
    const double *a = level->a;
    const double *b = level->b;
    double *s = level->scratch;
    double *t = s + 4 * quadrant;
    double *p = s + 8 * quadrant;
    struct bench_product products[7] = {
        {p, a, b},                                                     // p1
        {level->c, a + quadrant, b + 2 * quadrant},                    // p2
        {level->c + quadrant, s + 3 * quadrant, b + 3 * quadrant},     // p3
        {level->c + 2 * quadrant, a + 3 * quadrant, t + 3 * quadrant}, // p4
        {level->c + 3 * quadrant, s, t},                               // p5
        {p + quadrant, s + quadrant, t + quadrant},                    // p6
        {p + 2 * quadrant, s + 2 * quadrant, t + 2 * quadrant},        // p7
    };
    return products[step];
}

/// Behind the products.
static inline void bench_strassen_end(const struct bench_strassen *level) {
    long quadrant = bench_strassen_quadrant(level);
    long pairs = quadrant / 2;
    const bench_pair *p1 = (const bench_pair *)(level->scratch + 8 * quadrant);
    bench_pair *c11 = (bench_pair *)level->c;
    for (long i = 0; i < pairs; i++) {
        bench_pair p5 = c11[3 * pairs + i];
        bench_pair u2 = p1[i] + p1[pairs + i];
        bench_pair u3 = u2 + p1[2 * pairs + i];
        c11[i] += p1[i];
        c11[pairs + i] += u2 + p5;
        c11[2 * pairs + i] = u3 - c11[2 * pairs + i];
        c11[3 * pairs + i] = u3 + p5;
    }
    free(level->scratch);
}

/// c = a * b at the cutoff or below.
static inline void bench_strassen_leaf(double *c, const double *a, const double *b, long side) {
    for (long i = 0; i < side * side; i++)
        c[i] = 0;
    bench_matmul_tiles(c, a, b, side);
}

#ifdef __cplusplus
extern "C" {
#endif

/// c = a * b for matrices of side x side doubles in the layout of matmul.h, serially; c overlaps
/// neither. Seven products in place of eight, down to BENCH_STRASSEN_CUTOFF. Takes memory as it
/// goes. side is BENCH_TILE times a power of two.
void bench_strassen_serial(double *c, const double *a, const double *b, long side);

/// The same by clones. Call it inside saguaro::run.
void bench_strassen_c(double *c, const double *a, const double *b, long side);

#ifdef __cplusplus
}
#endif
