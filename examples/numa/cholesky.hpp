// SPDX-License-Identifier: MIT
// The Cholesky factor of a matrix of tiles, in place, by halves: factor the left half of the
// columns, subtract its products from the right half, factor that.
#pragma once

#include "blas.hpp"
#include "memory.hpp"
#include "runtimes.hpp"

#include <algorithm>
#include <concepts>
#include <cstddef>

namespace saguaro::numa_examples {

/// A tile somewhere in memory, stored by columns.
struct tile_view {
    double *data;
    std::size_t ld;
    std::size_t rows;
    std::size_t columns;
};

/// The strand reads or writes the tiles, which it does not find in the cache.
inline void touch(const std::same_as<tile_view> auto &...tiles) {
    const auto each = [](const tile_view &t) {
        if (t.ld == t.rows)
            sg_record_touch(t.data, t.rows * t.columns * sizeof(double));
        else
            sg_record_touch_rows(t.data, t.rows * sizeof(double), t.ld * sizeof(double), t.columns);
    };
    if (sg_is_recording())
        (each(tiles), ...);
}

/// `matrix` has a function tile(row, column), which gives a tile_view of the lower triangle's
/// tiles, and one tiles(), how many there are in a column.
template <typename runtime, typename matrix>
class tile_cholesky {
public:
    tile_cholesky(const matrix &of, variant where) : of_(of), where_(where) {}

    /// The first `eliminated` columns of tiles become those of the factor. From the rest is
    /// subtracted what they contribute. Throws not_positive_definite.
    void eliminate(std::size_t eliminated) const {
        const std::size_t all = of_.tiles();
        if (eliminated == 0)
            return;
        factor_columns(0, eliminated);
        if (eliminated < all)
            update(eliminated, all, eliminated, all, 0, eliminated);
    }

private:
    void factor_columns(std::size_t first, std::size_t last) const {
        const std::size_t all = of_.tiles();
        if (last - first == 1) {
            const tile_view diagonal = of_.tile(first, first);
            touch(diagonal);
            factor(diagonal.data, diagonal.ld, diagonal.columns);
            for_pieces<runtime>(last, all, 1, [&](std::size_t row, std::size_t) {
                const tile_view below = of_.tile(row, first);
                touch(diagonal, below);
                divide(below.data, below.ld, diagonal.data, diagonal.ld, below.rows, below.columns);
            });
            return;
        }
        const std::size_t middle = first + (last - first) / 2;
        factor_columns(first, middle);
        update(middle, all, middle, last, first, middle);
        factor_columns(middle, last);
    }

    /// Subtracts, from the tiles of some rows and columns on and below the diagonal, the products
    /// of tiles in columns first_k .. last_k-1.
    void update(std::size_t first_row, std::size_t last_row, std::size_t first_column,
                std::size_t last_column, std::size_t first_k, std::size_t last_k) const {
        if (last_row <= first_column)
            return;
        if (last_row - first_row == 1 && last_column - first_column == 1)
            return update_tile(first_row, first_column, first_k, last_k);
        const auto part = [&](std::size_t top, std::size_t bottom, std::size_t left,
                              std::size_t right) {
            update(top, bottom, left, right, first_k, last_k);
        };
        if (last_row - first_row >= last_column - first_column) {
            const std::size_t middle = first_row + (last_row - first_row) / 2;
            runtime::invoke([&] { part(first_row, middle, first_column, last_column); },
                            [&] { part(middle, last_row, first_column, last_column); });
        } else {
            const std::size_t middle = first_column + (last_column - first_column) / 2;
            runtime::invoke([&] { part(first_row, last_row, first_column, middle); },
                            [&] { part(first_row, last_row, middle, last_column); });
        }
    }

    void update_tile(std::size_t row, std::size_t column, std::size_t first_k,
                     std::size_t last_k) const {
        const tile_view target = of_.tile(row, column);
        touch(target);
        if (where_ != variant::local)
            return subtract(target, row, column, first_k, last_k);
        // All products are subtracted in memory of the worker's own node.
        const temporary near(target.rows * target.columns, where_);
        const tile_view copy = {near.get(), target.rows, target.rows, target.columns};
        for (std::size_t i = 0; i < target.columns; ++i)
            std::copy_n(target.data + i * target.ld, target.rows, copy.data + i * copy.ld);
        subtract(copy, row, column, first_k, last_k);
        for (std::size_t i = 0; i < target.columns; ++i)
            std::copy_n(copy.data + i * copy.ld, target.rows, target.data + i * target.ld);
    }

    void subtract(const tile_view &from, std::size_t row, std::size_t column, std::size_t first_k,
                  std::size_t last_k) const {
        for (std::size_t k = first_k; k < last_k; ++k) {
            const tile_view left = of_.tile(row, k);
            const tile_view right = of_.tile(column, k);
            touch(left);
            if (row != column)
                touch(right);
            if (row == column)
                subtract_square(from.data, from.ld, left.data, left.ld, from.rows, left.columns);
            else
                subtract_product(from.data, from.ld, left.data, left.ld, right.data, right.ld,
                                 from.rows, from.columns, left.columns);
        }
    }

    const matrix &of_;
    variant where_;
};

} // namespace saguaro::numa_examples
