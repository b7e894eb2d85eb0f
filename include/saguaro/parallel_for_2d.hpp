// SPDX-License-Identifier: MIT
// Loops over rows and columns, in tiles.
#pragma once

#include "saguaro/detail/cxx20.hpp"

#include "saguaro/parallel_for.hpp"
#include "saguaro/parallel_invoke.hpp"

#include <cstdint>
#include <limits>
#include <type_traits>
#include <utility>

namespace saguaro {

// The cells of [first_row, last_row) x [first_column, last_column). A range whose end is before its
// beginning is empty.
//
// The four numbers may have several types, of which the range has the widest; of equally wide ones
// the unsigned one. A signed number must be a constant of at least 0 where I is unsigned.
template <detail::integer I>
struct range_2d {
    // Rows and columns from 0 on.
    constexpr range_2d(detail::side<I> rows, detail::side<I> columns)
        : range_2d(I{0}, rows.value, I{0}, columns.value) {}
    constexpr range_2d(detail::side<I> row, detail::side<I> end_row, detail::side<I> column,
                       detail::side<I> end_column)
        : first_row(row.value), last_row(end_row.value), first_column(column.value),
          last_column(end_column.value) {}

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

template <detail::integer I, detail::integer J>
range_2d(I, J) -> range_2d<std::common_type_t<I, J>>;
template <detail::integer I, detail::integer J, detail::integer K, detail::integer L>
range_2d(I, J, K, L) -> range_2d<std::common_type_t<I, J, K, L>>;

namespace detail {

// Both halves of the longer side; of two equal ones, the rows, so that a row stays whole.
template <integer I>
std::pair<range_2d<I>, range_2d<I>> halves(const range_2d<I> &whole) {
    range_2d<I> near = whole, far = whole;
    if (whole.rows() >= whole.columns())
        near.last_row = far.first_row = advanced(whole.first_row, whole.rows() / 2);
    else
        near.last_column = far.first_column = advanced(whole.first_column, whole.columns() / 2);
    return {near, far};
}

template <integer I, class Body>
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
template <detail::integer I, class Body>
void parallel_for_tiles(const range_2d<I> &all, Body &&body, grain g = {}) {
    constexpr bool fits = std::is_invocable_v<Body &, const range_2d<I> &>;
    static_assert(fits, "saguaro: the body of parallel_for_tiles cannot be called with a range_2d");
    const std::uint64_t cells = all.cells();
    if constexpr (fits)
        if (cells != 0)
            saguaro::run(
                [&] { detail::run_tiles(all, detail::blocks(cells, g.iterations).size, body); });
}

// Calls body(row, column) for each cell of `all`, in tiles as parallel_for_tiles makes them; within
// a tile row by row.
template <detail::integer I, class Body>
void parallel_for(const range_2d<I> &all, Body &&body, grain g = {}) {
    constexpr bool fits = std::is_invocable_v<Body &, I, I>;
    static_assert(fits, "saguaro: the body cannot be called with a row and a column");
    const auto tile = [&](const range_2d<I> &part) {
        for (I row = part.first_row; row != part.last_row; ++row)
            for (I column = part.first_column; column != part.last_column; ++column)
                if constexpr (fits)
                    body(I{row}, I{column});
    };
    parallel_for_tiles(all, tile, g);
}

} // namespace saguaro
