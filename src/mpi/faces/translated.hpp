// SPDX-License-Identifier: MIT
// How the faces whose integer constants have numbers of their own look them up.
#pragma once

#include "mpi/faces/domain.hpp"

#include <cstddef>
#include <cstdint>
#include <limits>

namespace saguaro::mpi::faces {

// A value that the other side has no name for stays as it is, unless there it would be taken for a
// special one: a program of MPICH that says -2 where it means a tag does not mean MPI_ANY_TAG.
inline constexpr int no_value = std::numeric_limits<int>::min();

template <class pair, std::size_t n>
constexpr int translated(const pair (&pairs)[n], int value, int pair::*from, int pair::*to) {
    int result = value;
    for (const pair &p : pairs) {
        if (p.*from == value)
            return p.*to;
        if (p.*to == value)
            result = no_value;
    }
    return result;
}

template <class pair, std::size_t n>
constexpr int translated_bits(const pair (&pairs)[n], int value, int pair::*from, int pair::*to) {
    int result = 0;
    for (const pair &p : pairs)
        if ((value & p.*from) != 0)
            result |= p.*to;
    return result;
}

template <domain of, class pair, std::size_t n>
constexpr int convert(const pair (&pairs)[n], int value, int pair::*from, int pair::*to) {
    // Ranks and tags, which every call has, are their own numbers unless they are negative.
    if constexpr (of == domain::rank || of == domain::tag)
        if (value >= 0)
            return value;
    // The standard ABI's MPI_DISTRIBUTE_DFLT_DARG is 19, which is a size of blocks as well.
    if constexpr (of == domain::distribution_argument)
        if (value > 0 && from == &pair::face)
            return value;
    if constexpr (is_set_of_bits(of))
        return translated_bits(pairs, value, from, to);
    else
        return translated(pairs, value, from, to);
}

// The offset of a view: MPI_DISPLACEMENT_CURRENT is another number for the core, which the program
// cannot mean by that number itself.
template <class pair>
constexpr std::int64_t translated_offset(const pair &current, std::int64_t offset) {
    if (offset == current.face)
        return current.core;
    constexpr std::int64_t invalid = -2;
    return offset == current.core ? invalid : offset;
}

} // namespace saguaro::mpi::faces
