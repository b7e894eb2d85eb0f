// SPDX-License-Identifier: MIT
//
// Two matrices to multiply, and whether what comes out is their product: for matmul and strassen.
#pragma once

#include "driver/measure.hpp"
#include "matmul/matmul.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace saguaro::bench {

/// The side of the matrix of tiles that holds one of n x n; the rest of it is zeros.
inline long padded_side(long n) {
    long side = BENCH_TILE;
    while (side < n)
        side *= 2;
    return side;
}

/// Where elements stand: element (row, column) is number places[row].row + places[column].column.
struct place {
    std::size_t row;
    std::size_t column;
};

/// The places of rows and columns 0 .. side-1.
inline std::vector<place> places_of(long side) {
    std::vector<place> places;
    for (std::size_t i = 0; i < static_cast<std::size_t>(side); i++) {
        // Of a tile's number the even bits are its column, the odd ones its row.
        std::size_t spread = 0;
        for (std::size_t bit = 0; (i / BENCH_TILE) >> bit != 0; bit++)
            spread |= ((i / BENCH_TILE) >> bit & 1) << (2 * bit);
        constexpr std::size_t tile_size = BENCH_TILE * BENCH_TILE;
        places.push_back({.row = 2 * spread * tile_size + i % BENCH_TILE * BENCH_TILE,
                          .column = spread * tile_size + i % BENCH_TILE});
    }
    return places;
}

/// A matrix in the layout of matmul.h.
class matrix {
public:
    /// Zeros.
    explicit matrix(long n)
        : n_(static_cast<std::size_t>(n)), places_(places_of(padded_side(n))),
          elements_(places_.size() * places_.size()) {}

    /// Whole numbers from 0 to 15, the same for the same seed on every machine. So small, all sums
    /// of products are exact, in whatever order.
    matrix(long n, std::uint64_t seed) : matrix(n) {
        for (std::size_t row = 0; row < n_; row++) {
            for (std::size_t column = 0; column < n_; column++) {
                // Knuth's MMIX generator, of which the high bits are good.
                seed = seed * 6364136223846793005u + 1442695040888963407u;
                elements_[places_[row].row + places_[column].column] =
                    static_cast<double>(seed >> 60);
            }
        }
    }

    double *data() { return elements_.data(); }
    long side() const { return static_cast<long>(places_.size()); }

    /// This matrix times x, which has n elements.
    std::vector<double> times(const std::vector<double> &x) const {
        std::vector<double> product(n_);
        for (std::size_t row = 0; row < n_; row++)
            for (std::size_t column = 0; column < n_; column++)
                product[row] += elements_[places_[row].row + places_[column].column] * x[column];
        return product;
    }

private:
    std::size_t n_;
    std::vector<place> places_;
    std::vector<double> elements_;
};

/// The seconds that multiply(c, a, b, side) takes inside the runtime; c is zeros before. Checked
/// is c x = a (b x) for a vector x, exactly: an element that is wrong is seen but where others that
/// are wrong make good for it (Freivalds).
template <typename runtime>
double measure_product(long n, int workers,
                       void (*multiply)(double *, const double *, const double *, long)) {
    matrix a(n, 1);
    matrix b(n, 2);
    matrix c(n);
    double seconds =
        measure<runtime>(workers, [&] { multiply(c.data(), a.data(), b.data(), a.side()); });
    std::vector<double> x;
    for (long i = 0; i < n; i++)
        x.push_back(static_cast<double>(i * 7919 % 1009 + 1));
    if (c.times(x) != a.times(b.times(x)))
        throw wrong_answer("the matrix is not the product");
    return seconds;
}

} // namespace saguaro::bench
