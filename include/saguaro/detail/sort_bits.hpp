// SPDX-License-Identifier: MIT
// Sorting a vector<bool>, and what parallel_sort refuses.
#pragma once

#include "saguaro/detail/reduce_loop.hpp"

#include <algorithm>
#include <cstddef>
#include <type_traits>

namespace saguaro::detail {

// Workers count the bits of one value; the calling one writes them, a word at a time.
template <class I, class Less>
void sort_bits(I first, I last, Less &less) {
    const bool falses_first = static_cast<bool>(call(less, false, true));
    if (falses_first == static_cast<bool>(call(less, true, false)))
        return; // all are equal
    const std::uint64_t n = distance(first, last);
    const auto sum = [](std::uint64_t a, std::uint64_t b) { return a + b; };
    const auto is_front = [&](std::uint64_t i) {
        return std::uint64_t{static_cast<bool>(*advanced(first, i)) != falses_first};
    };
    const std::uint64_t front = reduce_blocks(blocks(n, 0), std::uint64_t{0}, sum, is_front);
    std::fill(first, advanced(first, front), !falses_first);
    std::fill(advanced(first, front), last, falses_first);
}

template <class I, class Less>
concept sorts = random_access<I> && std::is_nothrow_move_constructible_v<element_of<I>> &&
                std::is_nothrow_move_assignable_v<element_of<I>> &&
                std::is_assignable_v<reference_of<I>, element_of<I>> &&
                std::is_invocable_r_v<bool, Less &, const element_of<I> &, const element_of<I> &>;

template <class I, class Less>
constexpr void check_sort() {
    check_bounds<I>();
    if constexpr (random_access<I>) {
        using value = element_of<I>;
        static_assert(std::is_nothrow_move_constructible_v<value> &&
                          std::is_nothrow_move_assignable_v<value>,
                      "saguaro: parallel_sort moves elements and cannot undo a move that throws");
        static_assert(std::is_assignable_v<reference_of<I>, value>,
                      "saguaro: parallel_sort cannot write elements through these iterators");
        static_assert(std::is_invocable_r_v<bool, Less &, const value &, const value &>,
                      "saguaro: the comparison must take two constant elements and return a bool");
    }
}

} // namespace saguaro::detail
