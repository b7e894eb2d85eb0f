// SPDX-License-Identifier: MIT
// A stable parallel sort: a merge sort whose merges run in parallel as well.
#pragma once

#include "saguaro/detail/loop.hpp"
#include "saguaro/detail/merge_sort.hpp"
#include "saguaro/parallel_for.hpp" // which programs have had from here
#include "saguaro/run.hpp"

#include <concepts>
#include <cstddef>
#include <functional>
#include <iterator>
#include <memory>
#include <ranges>
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
template <std::random_access_iterator I, class Less = std::less<>>
    requires std::predicate<Less &, const std::iter_value_t<I> &, const std::iter_value_t<I> &>
void parallel_sort(I first, I last, Less &&less = {}) {
    using value = std::iter_value_t<I>;
    static_assert(std::is_nothrow_move_constructible_v<value> &&
                      std::is_nothrow_move_assignable_v<value>,
                  "parallel_sort moves elements around and cannot undo a move that throws");
    if constexpr (std::contiguous_iterator<I> && !std::is_pointer_v<I>) {
        parallel_sort(std::to_address(first), std::to_address(last), less);
    } else {
        const auto n = static_cast<std::size_t>(detail::distance(first, last));
        saguaro::run(
            [&] { detail::merge_sort<I, std::remove_reference_t<Less>>(first, n, less).run(); });
    }
}

// Sorts a whole range: parallel_sort(list).
template <std::ranges::random_access_range R, class Less = std::less<>>
    requires std::ranges::common_range<R>
void parallel_sort(R &&range, Less &&less = {}) {
    parallel_sort(std::ranges::begin(range), std::ranges::end(range), less);
}

} // namespace saguaro
