// SPDX-License-Identifier: MIT
// A dense matrix that has a Cholesky factor, and whether that is what came out.
#pragma once

#include "cholesky.hpp"
#include "tiles.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace saguaro::numa_examples {

/// A tile_matrix as tile_cholesky sees it. The padding has ones on the diagonal.
struct dense_tiles {
    const tile_matrix &matrix;

    std::size_t tiles() const { return matrix.cut().tiles(); }
    tile_view tile(std::size_t row, std::size_t column) const {
        const std::size_t side = matrix.cut().side;
        return {matrix.tile(row, column), side, side, side};
    }
};

/// Symmetric, and positive definite because the diagonal outweighs the rest of its row.
inline double dense_element(std::size_t row, std::size_t column, std::size_t n) {
    const double small =
        small_number(3, std::max(row, column), std::min(row, column)) / 16; // below 1
    return row == column ? static_cast<double>(n) + small : small;
}

inline void fill_dense(const tile_matrix &matrix) {
    std::fill(matrix.elements().begin(), matrix.elements().end(), 0);
    const std::size_t n = matrix.n();
    matrix.fill(
        [n](auto row, auto column) { return row >= column ? dense_element(row, column, n) : 0; });
    const tiling &cut = matrix.cut();
    for (std::size_t i = n; i < cut.tiles() * cut.side; ++i)
        matrix.at(i, i) = 1;
}

template <typename runtime>
void cholesky(const tile_matrix &matrix, variant where) {
    const dense_tiles tiles{matrix};
    tile_cholesky<runtime, dense_tiles>(tiles, where).eliminate(tiles.tiles());
}

/// The largest element of l (l' x) - a x, over the largest of a x.
inline double relative_error(const tile_matrix &l) {
    const std::size_t n = l.n();
    const std::vector<double> x = probe(n);
    std::vector<double> transposed(n), found(n), expected(n);
    for (std::size_t column = 0; column < n; ++column)
        for (std::size_t row = column; row < n; ++row)
            transposed[column] += l.at(row, column) * x[row];
    for (std::size_t column = 0; column < n; ++column)
        for (std::size_t row = column; row < n; ++row)
            found[row] += l.at(row, column) * transposed[column];
    double error = 0, largest = 0;
    for (std::size_t row = 0; row < n; ++row) {
        for (std::size_t column = 0; column < n; ++column)
            expected[row] += dense_element(row, column, n) * x[column];
        // The negation sees what is not a number, too.
        if (const double e = std::abs(found[row] - expected[row]); !(e <= error))
            error = e;
        largest = std::max(largest, std::abs(expected[row]));
    }
    return error / largest;
}

} // namespace saguaro::numa_examples
