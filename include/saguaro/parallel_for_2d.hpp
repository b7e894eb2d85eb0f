// SPDX-License-Identifier: MIT
// Loops over rows and columns, in tiles.
#pragma once

#include "saguaro/parallel_for.hpp"
#include "saguaro/parallel_invoke.hpp"

#include <concepts>
#include <cstdint>
#include <limits>
#include <utility>

namespace saguaro {

// The cells of [first_row, last_row) x [first_column, last_column). A range whose end is before its
// beginning is empty.
template <std::integral I>
struct range_2d {
    // Rows and columns from 0 on.
    constexpr range_2d(I rows, I columns) : range_2d(I{0}, rows, I{0}, columns) {}
    constexpr range_2d(I row, I end_row, I column, I end_column)
        : first_row(row), last_row(end_row), first_column(column), last_column(end_column) {}

    constexpr std::uint64_t rows() const { return detail::distance(first_row, last_row); }
    constexpr std::uint64_t columns() const { return detail::distance(first_column, last_column); }

    // rows() * columns(), or the greatest number if that is greater.
    constexpr std::uint64_t cells() const {
        std::uint64_t product = 0;
        if (__builtin_mul_overflow(rows(), columns(), &product))
            return std::numeric_limits<std::uint64_t>::max();
        return product;
    }

    bool operator==(const range_2d &) const = default;

    I first_row;
    I last_row;
    I first_column;
    I last_column;
};

namespace detail {

// Both halves of the longer side; of two equal ones, the rows, so that a row stays whole.
template <std::integral I>
std::pair<range_2d<I>, range_2d<I>> halves(const range_2d<I> &whole) {
    range_2d<I> near = whole, far = whole;
    if (whole.rows() >= whole.columns())
        near.last_row = far.first_row = advanced(whole.first_row, whole.rows() / 2);
    else
        near.last_column = far.first_column = advanced(whole.first_column, whole.columns() / 2);
    return {near, far};
}

template <std::integral I, class Body>
void run_tiles(const range_2d<I> &tile, std::uint64_t cells, Body &body) {
    const auto [near, far] = halves(tile);
    // Rounding makes the near half the smaller one.
    if (near.cells() < cells) {
        body(tile);
        return;
    }
    parallel_invoke([&] { run_tiles(near, cells, body); }, [&] { run_tiles(far, cells, body); });
}

} // namespace detail

// Calls body(tile) with tiles, each a range_2d, which cover `all` without overlap. `all` is halved
// along its longer side, then the halves, and so on, as long as both halves have at least `g`
// cells. So tiles are nearly square, and tiles that run one after the other are neighbours, which
// suits caches of every size. `g` is by default as in `grain`, for the number of cells.
//
// `all` and `g` decide which tiles there are; the workers do not. Tiles may run in parallel. The
// serial order is that of halving: first all of the upper or left half. If several tiles throw, the
// exception of the first of them in this order leaves. A thread outside of any worker enters one,
// as by `run`. A tile costs a parallel_invoke, a few nanoseconds.
template <std::integral I, class Body>
    requires std::invocable<Body &, range_2d<I>>
void parallel_for_tiles(const range_2d<I> &all, Body &&body, grain g = {}) {
    const std::uint64_t cells = all.cells();
    if (cells != 0)
        saguaro::run(
            [&] { detail::run_tiles(all, detail::blocks(cells, g.iterations).size, body); });
}

// Calls body(row, column) for each cell of `all`, in tiles as parallel_for_tiles makes them; within
// a tile row by row.
template <std::integral I, class Body>
    requires std::invocable<Body &, I, I>
void parallel_for(const range_2d<I> &all, Body &&body, grain g = {}) {
    const auto tile = [&](const range_2d<I> &part) {
        for (I row = part.first_row; row != part.last_row; ++row)
            for (I column = part.first_column; column != part.last_column; ++column)
                body(row, column);
    };
    parallel_for_tiles(all, tile, g);
}

} // namespace saguaro
