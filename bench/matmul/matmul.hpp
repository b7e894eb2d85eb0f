// SPDX-License-Identifier: MIT
//
// matmul: divide and conquer down to tiles, twice four products in parallel.
#pragma once

#include "matmul/matrix.hpp"

namespace saguaro::bench {

/// c += a * b, each `side` wide.
template <typename runtime>
void matmul(double *c, const double *a, const double *b, long side) {
    if (side == BENCH_TILE) {
        bench_tile_multiply(c, a, b);
        return;
    }
    auto product = [=](int step) {
        bench_product p = bench_matmul_step(c, a, b, side, step);
        matmul<runtime>(p.c, p.a, p.b, side / 2);
    };
    runtime::invoke([&] { product(0); }, [&] { product(1); }, [&] { product(2); },
                    [&] { product(3); });
    runtime::invoke([&] { product(4); }, [&] { product(5); }, [&] { product(6); },
                    [&] { product(7); });
}

// The variants, by file. Each solves the problem once, checks the answer and returns the seconds.

double matmul_saguaro_c(long n, int workers);      // clones.c, measured in saguaro.cpp
double matmul_saguaro_invoke(long n, int workers); // saguaro.cpp
double matmul_tbb(long n, int workers);            // tbb.cpp
double matmul_openmp(long n, int workers);         // openmp.cpp, in a program of its own
double matmul_lace(long n, int workers);           // lace.cpp, in a program of its own

} // namespace saguaro::bench
