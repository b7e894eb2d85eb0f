// SPDX-License-Identifier: MIT
//
// blas-strassen, blas-cholesky: the dense programs of examples/numa, with OpenBLAS for their tiles.
#pragma once

#include "driver/measure.hpp"

#include <numa/dense_cholesky.hpp>
#include <numa/strassen.hpp>

#include <algorithm>
#include <string>

namespace saguaro::bench {

namespace blas = numa_examples;

/// So small that there are enough tiles to share, so large that OpenBLAS is in its stride.
inline constexpr std::size_t blas_tile = 64;

/// The seconds of the second of two solutions: in the first one each worker gets the memory that
/// OpenBLAS packs its operands in.
template <typename runtime>
double measure_second(int workers, auto &&reset, auto &&solve) {
    blas::one_thread_for_blas();
    double seconds = 0;
    runtime::enter(workers, [&] {
        for (int i = 0; i < 2; i++) {
            reset();
            const auto start = std::chrono::steady_clock::now();
            solve();
            seconds =
                std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
        }
    });
    return seconds;
}

template <typename runtime>
double measure_blas_strassen(long n, int workers) {
    const auto side = static_cast<std::size_t>(n);
    constexpr auto where = blas::variant::plain;
    const blas::tile_matrix a(side, blas_tile, where), b(side, blas_tile, where),
        c(side, blas_tile, where);
    a.fill([](auto row, auto column) { return blas::small_number(1, row, column); });
    b.fill([](auto row, auto column) { return blas::small_number(2, row, column); });
    const double seconds = measure_second<runtime>(
        workers, [&] { std::fill(c.elements().begin(), c.elements().end(), 0); },
        [&] { blas::strassen<runtime>(c, a, b, where); });
    const std::vector<double> x = blas::probe(side);
    if (c.times(x) != a.times(b.times(x)))
        throw wrong_answer("the matrix is not the product");
    return seconds;
}

template <typename runtime>
double measure_blas_cholesky(long n, int workers) {
    constexpr auto where = blas::variant::plain;
    const blas::tile_matrix l(static_cast<std::size_t>(n), blas_tile, where);
    const double seconds = measure_second<runtime>(
        workers, [&] { blas::fill_dense(l); }, [&] { blas::cholesky<runtime>(l, where); });
    if (!(blas::relative_error(l) <= 1e-12))
        throw wrong_answer("the matrix is not the factor");
    return seconds;
}

/// Calls nothing in parallel.
struct blas_serial : no_runtime {
    static void invoke(auto &&...functions) { (functions(), ...); }
};

// The variants, by file. Each solves the problem twice, checks the answer and returns the seconds.

double blas_strassen_saguaro(long n, int workers); // saguaro.cpp
double blas_cholesky_saguaro(long n, int workers); // saguaro.cpp
double blas_strassen_tbb(long n, int workers);     // tbb.cpp
double blas_cholesky_tbb(long n, int workers);     // tbb.cpp

} // namespace saguaro::bench
