// SPDX-License-Identifier: MIT
// matmul's serial elision, the base of its ratios.
#include "matmul/matmul.h"

void bench_matmul_serial(double *c, const double *a, const double *b, long side) {
    bench_matmul_tiles(c, a, b, side);
}
