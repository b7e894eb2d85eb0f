// SPDX-License-Identifier: MIT
// The Cholesky factor of a sparse matrix, supernode by supernode, children first. A supernode adds
// up what its children contribute to its columns and to those behind, eliminates its columns as a
// dense matrix, and hands on what is left. Children are independent of each other, and the large
// dense matrices near the root are factored in parallel themselves (after Irony, Shklarski and
// Toledo). The result is the same on any number of workers, to the last bit.
#pragma once

#include "cholesky.hpp"
#include "memory.hpp"
#include "runtimes.hpp"
#include "symbolic.hpp"

#include <algorithm>
#include <optional>
#include <vector>

namespace saguaro::numa_examples {

/// A supernode's block and what it contributes to others, as tile_cholesky sees them.
class front {
public:
    static constexpr std::size_t most = 128; // rows or columns of a tile

    front(double *block, double *contribution, std::size_t width, std::size_t below)
        : block_(block), contribution_(contribution), width_(width), height_(width + below) {
        for (std::size_t at = 0; at < width; at += most)
            begins_.push_back(at);
        own_ = begins_.size();
        for (std::size_t at = width; at < height_; at += most)
            begins_.push_back(at);
        begins_.push_back(height_);
    }

    std::size_t tiles() const { return begins_.size() - 1; }

    /// Columns of tiles that the supernode eliminates.
    std::size_t own_tiles() const { return own_; }

    tile_view tile(std::size_t row, std::size_t column) const {
        const std::size_t top = begins_[row], left = begins_[column];
        const std::size_t rows = std::min(begins_[row + 1], row < own_ ? width_ : height_) - top;
        const std::size_t columns =
            std::min(begins_[column + 1], column < own_ ? width_ : height_) - left;
        if (column < own_)
            return {block_ + left * height_ + top, height_, rows, columns};
        const std::size_t below = height_ - width_;
        return {contribution_ + (left - width_) * below + (top - width_), below, rows, columns};
    }

private:
    double *block_;
    double *contribution_;
    std::size_t width_, height_, own_;
    std::vector<std::size_t> begins_;
};

template <typename runtime>
class multifrontal {
public:
    /// `blocks` has symbolic.doubles doubles.
    multifrontal(const symbolic_factor &symbolic, double *blocks, variant where)
        : symbolic_(symbolic), blocks_(blocks), where_(where) {}

    /// Throws not_positive_definite.
    void factor() const {
        for_pieces<runtime>(0, symbolic_.roots.size(), 1,
                            [this](std::size_t i, std::size_t) { eliminate(symbolic_.roots[i]); });
    }

private:
    static constexpr std::size_t grain = 16384; // doubles that a task clears or adds

    std::size_t columns_for_grain(std::size_t rows) const {
        return std::max<std::size_t>(1, grain / std::max<std::size_t>(1, rows));
    }

    /// The columns' block of the factor is done; what it contributes to the parent, the lower
    /// triangle of a matrix of as many rows as there are below the supernode.
    temporary eliminate(index s) const {
        const supernode &mine = symbolic_.supernodes[s];
        const std::size_t below = mine.rows.size();
        std::vector<std::optional<temporary>> children(mine.children.size());
        for_pieces<runtime>(0, children.size(), 1, [&](std::size_t i, std::size_t) {
            children[i].emplace(eliminate(mine.children[i]));
        });

        double *const block = blocks_ + mine.begin;
        temporary contribution(std::max<std::size_t>(1, below * below), where_);
        clear(block, mine.height(), mine.width());
        clear(contribution.get(), below, below);
        put_entries(mine, block);
        for (std::size_t i = 0; i < children.size(); ++i) {
            add(mine, symbolic_.supernodes[mine.children[i]], children[i]->get(), block,
                contribution.get());
            children[i].reset();
        }
        const front dense(block, contribution.get(), mine.width(), below);
        tile_cholesky<runtime, front>(dense, where_).eliminate(dense.own_tiles());
        return contribution;
    }

    void clear(double *data, std::size_t rows, std::size_t columns) const {
        for_pieces<runtime>(0, columns, columns_for_grain(rows),
                            [=](std::size_t first, std::size_t last) {
                                touch(first * rows, (last - first) * rows, data);
                                std::fill(data + first * rows, data + last * rows, 0);
                            });
    }

    void put_entries(const supernode &mine, double *block) const {
        const symmetric_matrix &matrix = symbolic_.matrix;
        for (index column = mine.first; column < mine.last; ++column) {
            double *const to = block + (column - mine.first) * mine.height();
            for (std::size_t at = matrix.begins[column]; at < matrix.begins[column + 1]; ++at)
                to[place(mine, matrix.rows[at])] = matrix.values[at];
        }
    }

    /// Where a row of the matrix is in a supernode's block.
    static std::size_t place(const supernode &mine, index row) {
        if (row < mine.last)
            return row - mine.first;
        const auto at = std::lower_bound(mine.rows.begin(), mine.rows.end(), row);
        return mine.width() + static_cast<std::size_t>(at - mine.rows.begin());
    }

    /// Adds what a child contributes, column by column of the child's.
    void add(const supernode &mine, const supernode &child, const double *from, double *block,
             double *contribution) const {
        const std::size_t count = child.rows.size();
        std::vector<std::size_t> places(count);
        for (std::size_t i = 0; i < count; ++i)
            places[i] = place(mine, child.rows[i]);
        const std::size_t below = mine.rows.size();
        for_pieces<runtime>(
            0, count, columns_for_grain(count), [&](std::size_t first, std::size_t last) {
                for (std::size_t i = first; i < last; ++i) {
                    const std::size_t column = places[i];
                    const bool own = column < mine.width();
                    double *const to = own ? block + column * mine.height()
                                           : contribution + (column - mine.width()) * below;
                    const std::size_t skipped = own ? 0 : mine.width();
                    touch(0, count - i, from + i * count + i);
                    touch(0, places.back() - column + 1, to + column - skipped);
                    for (std::size_t row = i; row < count; ++row)
                        to[places[row] - skipped] += from[i * count + row];
                }
            });
    }

    const symbolic_factor &symbolic_;
    double *blocks_;
    variant where_;
};

/// The factor l, of the blocks, times its transpose times x.
inline std::vector<double> product_of_factor(const symbolic_factor &symbolic, const double *blocks,
                                             const std::vector<double> &x) {
    std::vector<double> transposed(x.size()), result(x.size());
    const auto each = [&](auto visit) {
        for (const supernode &s : symbolic.supernodes)
            for (std::size_t column = 0; column < s.width(); ++column)
                for (std::size_t row = column; row < s.height(); ++row)
                    visit(row < s.width() ? s.first + row : s.rows[row - s.width()],
                          s.first + column, blocks[s.begin + column * s.height() + row]);
    };
    each([&](std::size_t row, std::size_t column, double value) {
        transposed[column] += value * x[row];
    });
    each([&](std::size_t row, std::size_t column, double value) {
        result[row] += value * transposed[column];
    });
    return result;
}

} // namespace saguaro::numa_examples
