// SPDX-License-Identifier: MIT
//
// vms-matmul: the program examples/cilk/matmul.c for any runtime, leaves included. Any n: no side
// is padded, and blocks of up to 64 x 64 are multiplied serially.
#pragma once

#include "driver/measure.hpp"

#include <cstdlib>
#include <memory>

extern "C" {
#include "../../examples/cilk/matrix.h"
}

namespace saguaro::bench {

/// c += a * b.
template <typename runtime>
void multiply_blocks(::matrix c, ::matrix a, ::matrix b) {
    if (c.rows <= MATRIX_LEAF && c.columns <= MATRIX_LEAF && a.columns <= MATRIX_LEAF) {
        matrix_multiply_leaf(c, a, b, 1);
        return;
    }
    const long row = c.rows / 2;
    const long column = c.columns / 2;
    const long inner = a.columns / 2;
    const auto quarter = [=](bool lower, bool right, bool second) {
        // Halves of an odd side differ by one.
        const long top = lower ? row : 0;
        const long height = lower ? c.rows - row : row;
        const long left = right ? column : 0;
        const long width = right ? c.columns - column : column;
        const long from = second ? inner : 0;
        const long depth = second ? a.columns - inner : inner;
        multiply_blocks<runtime>(matrix_part(c, top, left, height, width),
                                 matrix_part(a, top, from, height, depth),
                                 matrix_part(b, from, left, depth, width));
    };
    for (const bool second : {false, true}) {
        runtime::invoke(
            [&] { quarter(false, false, second); }, [&] { quarter(false, true, second); },
            [&] { quarter(true, false, second); }, [&] { quarter(true, true, second); });
    }
}

/// The seconds that the product of two random n x n matrices takes inside the runtime.
template <typename runtime>
double measure_blocked_matmul(long n, int workers) {
    struct freed {
        void operator()(double *elements) const { std::free(elements); }
    };
    using elements = std::unique_ptr<double, freed>;
    const ::matrix a = matrix_new(n, n);
    const ::matrix b = matrix_new(n, n);
    const ::matrix c = matrix_new(n, n);
    const elements owners[3] = {elements(a.at), elements(b.at), elements(c.at)};
    matrix_fill(a, 1);
    matrix_fill(b, 2);
    const double seconds = measure<runtime>(workers, [&] { multiply_blocks<runtime>(c, a, b); });
    if (!matrix_is_product(c, a, b))
        throw wrong_answer("the matrix is not the product");
    return seconds;
}

// The variants, by file. Each solves the problem once, checks the answer and returns the seconds.

double vms_matmul_saguaro(long n, int workers); // saguaro.cpp
double vms_matmul_vcilk(long n, int workers);   // vcilk.cpp

} // namespace saguaro::bench
