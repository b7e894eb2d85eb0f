// SPDX-License-Identifier: MIT
//
// strassen: seven products in parallel, long passes through memory before and behind them.
#pragma once

#include "matmul/matrix.hpp"
#include "strassen/strassen.h"

namespace saguaro::bench {

/// c = a * b, each `side` wide.
template <typename runtime>
void strassen(double *c, const double *a, const double *b, long side) {
    if (side <= BENCH_STRASSEN_CUTOFF) {
        bench_strassen_leaf(c, a, b, side);
        return;
    }
    const bench_strassen level = bench_strassen_begin(c, a, b, side);
    auto product = [&level](int step) {
        bench_product p = bench_strassen_step(&level, step);
        strassen<runtime>(p.c, p.a, p.b, level.side / 2);
    };
    runtime::invoke([&] { product(0); }, [&] { product(1); }, [&] { product(2); },
                    [&] { product(3); }, [&] { product(4); }, [&] { product(5); },
                    [&] { product(6); });
    bench_strassen_end(&level);
}

// The variants, by file. Each solves the problem once, checks the answer and returns the seconds.

double strassen_saguaro_c(long n, int workers);      // clones.c, measured in saguaro.cpp
double strassen_saguaro_invoke(long n, int workers); // saguaro.cpp
double strassen_tbb(long n, int workers);            // tbb.cpp
double strassen_openmp(long n, int workers);         // openmp.cpp, in a program of its own
double strassen_lace(long n, int workers);           // lace.cpp, in a program of its own

} // namespace saguaro::bench
