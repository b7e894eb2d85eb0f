// SPDX-License-Identifier: MIT
// A stable parallel sort: a merge sort whose merges run in parallel as well.
#pragma once

#include "saguaro/detail/cxx20.hpp"

#include "saguaro/detail/loop.hpp"
#include "saguaro/detail/merge_sort.hpp"
#include "saguaro/detail/sort_bits.hpp"
#include "saguaro/parallel_for.hpp"
#include "saguaro/run.hpp"

#include <cstddef>
#include <functional>
#include <iterator>
#include <memory>
#include <type_traits>

namespace saguaro {

// Sorts [first, last) by `less`, a strict weak order, as std::stable_sort does: equal elements keep
// their order. So there is one result, on any number of workers. `less` takes two constant
// elements; several workers may call it at once. Elements may be move-only; their moves must not
// throw.
//
// If `less` throws, all elements are still in the range, in some order. Of several exceptions the
// one leaves that a serial run of this algorithm meets first; the calls of `less` do not depend on
// the number of workers. If there is no memory for n more elements, std::bad_alloc leaves before
// anything has moved. A thread outside of any worker enters one, as by `run`.
//
// It makes O(n log n) comparisons and moves in all, O(log^3 n) of them on the critical path. 10^7
// random ints take less than with std::stable_sort on one worker, because the merge does not
// branch. A range that is in order takes one comparison for each merge. It sorts leaves of 8 to 32
// elements by insertion. Below 2048 elements to sort, or 16384 to merge, which is some tens of
// microseconds of work, it offers nothing to thieves.
//
// `g`: as many elements are sorted without offering anything to thieves, 2048 by default, and eight
// times as many merged. A vector<bool> is counted and filled.
template <class I, class Less = std::less<>>
void parallel_sort(detail::bound<I> first, I last, Less &&less = {}, grain g = {}) {
    detail::check_sort<I, Less>();
    if constexpr (!detail::sorts<I, Less>) {
        return;
    } else if constexpr (detail::shares_words<I>) {
        detail::sort_bits(first.value, last, less);
    } else if constexpr (std::contiguous_iterator<I> && !std::is_pointer_v<I>) {
        parallel_sort(std::to_address(first.value), std::to_address(last), less, g);
    } else {
        const auto n = static_cast<std::size_t>(detail::distance(first.value, last));
        const std::size_t serial = g.iterations;
        saguaro::run([&] {
            detail::merge_sort<I, std::remove_reference_t<Less>>(
                first.value, n, less, serial != 0 ? serial : detail::serial_sort)
                .run();
        });
    }
}

template <class I, class J, class Less = std::less<>>
    requires detail::two_bounds<I, J>
void parallel_sort(I first, J last, Less &&less = {}, grain g = {}) {
    const auto bounds = detail::common_bounds(first, last);
    parallel_sort(bounds.first, bounds.last, less, g);
}

// Sorts a whole range: parallel_sort(list).
template <detail::any_range R, detail::functor Less = std::less<>>
void parallel_sort(R &&range, Less &&less = {}, grain g = {}) {
    const auto first = detail::begin_of(range);
    parallel_sort(first, detail::end_of(range, first), less, g);
}

} // namespace saguaro
