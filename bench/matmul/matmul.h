// SPDX-License-Identifier: MIT
//
// Common parts of all forms of matmul and strassen, in C and in C++: the layout of a matrix, the
// product of two tiles, and the order in which a product of matrices multiplies quadrants.
//
// A matrix has 2^k x 2^k tiles; a tile is BENCH_TILE rows of BENCH_TILE doubles, one behind the
// other. The tiles stand quadrant by quadrant, upper left, upper right, lower left, lower right,
// and so on within each quadrant: each is one piece of memory. In rows of 1024 doubles the lines of
// a tile would all fall into the same few sets of the cache.
#pragma once

/// The side of a tile, below which there is no spawn: a product of two is 8192 floating-point
/// operations, 2 or 3 microseconds of SSE2.
#define BENCH_TILE 16

/// Two doubles side by side, as every x86-64 and AArch64 has them. gcc 12 -O2 makes vectors of no
/// loop whose count it does not know, so these kernels say what they mean.
typedef double bench_pair __attribute__((vector_size(16), may_alias));

/// A quarter of a tile's row.
struct bench_quad {
    bench_pair low;
    bench_pair high;
};

static inline struct bench_quad bench_quad_load(const double *from) {
    struct bench_quad quad = {*(const bench_pair *)from, *(const bench_pair *)(from + 2)};
    return quad;
}

static inline void bench_quad_store(double *to, const struct bench_quad *quad) {
    *(bench_pair *)to = quad->low;
    *(bench_pair *)(to + 2) = quad->high;
}

/// sum += factor * quad
static inline void bench_quad_add(struct bench_quad *sum, double factor,
                                  const struct bench_quad *quad) {
    sum->low += factor * quad->low;
    sum->high += factor * quad->high;
}

/// c += a * b for tiles; c overlaps neither. Four rows by four columns at a time: that many sums
/// stay in registers.
static inline void bench_tile_multiply(double *c, const double *a, const double *b) {
    for (long i = 0; i < BENCH_TILE; i += 4) {
        const double *rows = a + i * BENCH_TILE;
        for (long j = 0; j < BENCH_TILE; j += 4) {
            double *out = c + i * BENCH_TILE + j;
            struct bench_quad sum0 = bench_quad_load(out);
            struct bench_quad sum1 = bench_quad_load(out + BENCH_TILE);
            struct bench_quad sum2 = bench_quad_load(out + 2 * BENCH_TILE);
            struct bench_quad sum3 = bench_quad_load(out + 3 * BENCH_TILE);
            for (long k = 0; k < BENCH_TILE; k++) {
                struct bench_quad row = bench_quad_load(b + k * BENCH_TILE + j);
                bench_quad_add(&sum0, rows[k], &row);
                bench_quad_add(&sum1, rows[BENCH_TILE + k], &row);
                bench_quad_add(&sum2, rows[2 * BENCH_TILE + k], &row);
                bench_quad_add(&sum3, rows[3 * BENCH_TILE + k], &row);
            }
            bench_quad_store(out, &sum0);
            bench_quad_store(out + BENCH_TILE, &sum1);
            bench_quad_store(out + 2 * BENCH_TILE, &sum2);
            bench_quad_store(out + 3 * BENCH_TILE, &sum3);
        }
    }
}

/// What one step of a product multiplies: c += a * b, or c = a * b.
struct bench_product {
    double *c;
    const double *a;
    const double *b;
};

/// The product number `step` of the eight that c += a * b consists of, each matrix `side` wide.
/// Products 0 to 3 write to different quadrants of c, and so do 4 to 7.
static inline struct bench_product bench_matmul_step(double *c, const double *a, const double *b,
                                                     long side, int step) {
    long quadrant = side / 2 * (side / 2);
    int inner = step / 4;
    int row = step / 2 % 2;
    int column = step % 2;
    struct bench_product product = {c + (2 * row + column) * quadrant,
                                    a + (2 * row + inner) * quadrant,
                                    b + (2 * inner + column) * quadrant};
    return product;
}

/// c += a * b, each `side` wide, serially.
static inline void bench_matmul_tiles(double *c, const double *a, const double *b, long side) {
    if (side == BENCH_TILE) {
        bench_tile_multiply(c, a, b);
        return;
    }
    for (int step = 0; step < 8; step++) {
        struct bench_product p = bench_matmul_step(c, a, b, side, step);
        bench_matmul_tiles(p.c, p.a, p.b, side / 2);
    }
}

#ifdef __cplusplus
extern "C" {
#endif

/// c += a * b for matrices of side x side doubles, serially; c overlaps neither. side is BENCH_TILE
/// times a power of two.
void bench_matmul_serial(double *c, const double *a, const double *b, long side);

/// The same by clones. Call it inside saguaro::run.
void bench_matmul_c(double *c, const double *a, const double *b, long side);

#ifdef __cplusplus
}
#endif
