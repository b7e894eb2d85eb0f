// SPDX-License-Identifier: MIT
// Dense square matrices of tiles.
#pragma once

#include "memory.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace saguaro::numa_examples {

/// How an n x n matrix is cut: into 2^depth x 2^depth tiles, the largest of at most `most` x
/// `most`. What the tiles have above n is padding: a small part, for n above the size of some
/// tiles.
struct tiling {
    tiling(std::size_t n, std::size_t most) {
        while (((n - 1) >> depth) + 1 > most)
            ++depth;
        side = ((n - 1) >> depth) + 1;
    }

    std::size_t tiles() const { return std::size_t{1} << depth; }
    std::size_t tile_size() const { return side * side; }
    std::size_t size() const { return tiles() * tiles() * tile_size(); }

    unsigned depth = 0;
    std::size_t side = 0; // of a tile
};

/// Tiles lie in quadrants of quadrants, each without gaps and stored by columns. So a quadrant of
/// any level is one piece of memory.
class tile_matrix {
public:
    /// Zeros.
    tile_matrix(std::size_t n, std::size_t most_of_tile, variant where)
        : n_(n), tiling_(n, most_of_tile), elements_(tiling_.size(), where) {}

    std::size_t n() const { return n_; }
    const tiling &cut() const { return tiling_; }
    const data_array &elements() const { return elements_; }
    double *data() const { return elements_.begin(); }

    double *tile(std::size_t row, std::size_t column) const {
        return data() + (2 * spread(row) + spread(column)) * tiling_.tile_size();
    }

    double &at(std::size_t row, std::size_t column) const {
        const std::size_t side = tiling_.side;
        return tile(row / side, column / side)[column % side * side + row % side];
    }

    /// value(row, column) for each element; the padding stays as it is.
    template <typename function>
    void fill(const function &value) const {
        for (std::size_t column = 0; column < n_; ++column)
            for (std::size_t row = 0; row < n_; ++row)
                at(row, column) = value(row, column);
    }

    /// The matrix times x.
    std::vector<double> times(const std::vector<double> &x) const {
        std::vector<double> product(n_);
        for (std::size_t column = 0; column < n_; ++column)
            for (std::size_t row = 0; row < n_; ++row)
                product[row] += at(row, column) * x[column];
        return product;
    }

private:
    /// The bits of i, a zero before each.
    static std::size_t spread(std::size_t i) {
        std::size_t spread = 0;
        for (unsigned bit = 0; i >> bit != 0; ++bit)
            spread |= (i >> bit & 1) << (2 * bit);
        return spread;
    }

    std::size_t n_;
    tiling tiling_;
    data_array elements_;
};

/// A number from 0 to 15 that looks random: of whole numbers so small all sums of products are
/// exact, in any order.
inline double small_number(std::uint64_t seed, std::size_t row, std::size_t column) {
    std::uint64_t bits = seed + (std::uint64_t{row} << 32 | column) * 0x9e3779b97f4a7c15u;
    bits = (bits ^ bits >> 32) * 0xd6e8feb86659fd93u;
    bits = (bits ^ bits >> 32) * 0xd6e8feb86659fd93u;
    return static_cast<double>(bits >> 60);
}

/// n whole numbers, with which checks multiply.
inline std::vector<double> probe(std::size_t n) {
    std::vector<double> x(n);
    for (std::size_t i = 0; i < n; ++i)
        x[i] = static_cast<double>(i * 7919 % 1009 + 1);
    return x;
}

} // namespace saguaro::numa_examples
