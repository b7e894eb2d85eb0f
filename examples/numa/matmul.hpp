// SPDX-License-Identifier: MIT
// The textbook's product of two matrices of tiles.
#pragma once

#include "blas.hpp"
#include "runtimes.hpp"
#include "tiles.hpp"

#include <algorithm>

namespace saguaro::numa_examples {

/// A tile of c is the sum of its products. In the local variant the sum is made in memory of the
/// worker's own node and written to its place once.
inline void multiply_tile(const tile_matrix &c, const tile_matrix &a, const tile_matrix &b,
                          std::size_t row, std::size_t column, variant where) {
    const tiling &cut = c.cut();
    touch(0, cut.tile_size(), c.tile(row, column));
    const auto add_up = [&](double *sum) {
        for (std::size_t k = 0; k < cut.tiles(); ++k) {
            touch(0, cut.tile_size(), a.tile(row, k), b.tile(k, column));
            multiply(sum, a.tile(row, k), b.tile(k, column), cut.side, k == 0 ? 0 : 1);
        }
    };
    if (where != variant::local)
        return add_up(c.tile(row, column));
    const temporary sum(cut.tile_size(), where);
    add_up(sum.get());
    std::copy_n(sum.get(), cut.tile_size(), c.tile(row, column));
}

/// c = a * b, the three of one size; tiles of c in parallel, by quadrants.
template <typename runtime>
void matmul(const tile_matrix &c, const tile_matrix &a, const tile_matrix &b, variant where,
            std::size_t row, std::size_t column, std::size_t tiles) {
    if (tiles == 1)
        return multiply_tile(c, a, b, row, column, where);
    const std::size_t half = tiles / 2;
    const auto quadrant = [&](std::size_t down, std::size_t right) {
        matmul<runtime>(c, a, b, where, row + down * half, column + right * half, half);
    };
    runtime::invoke([&] { quadrant(0, 0); }, [&] { quadrant(0, 1); }, [&] { quadrant(1, 0); },
                    [&] { quadrant(1, 1); });
}

template <typename runtime>
void matmul(const tile_matrix &c, const tile_matrix &a, const tile_matrix &b, variant where) {
    matmul<runtime>(c, a, b, where, 0, 0, c.cut().tiles());
}

} // namespace saguaro::numa_examples
