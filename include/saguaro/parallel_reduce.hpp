// SPDX-License-Identifier: MIT
// Combining the values that the iterations of a loop compute.
#pragma once

#include "saguaro/detail/cxx20.hpp"

#include "saguaro/detail/reduce_loop.hpp"
#include "saguaro/parallel_for.hpp"

#include <concepts>
#include <cstdint>
#include <type_traits>
#include <utility>

namespace saguaro {

// Computes reduce(...reduce(reduce(init, transform(first)), transform(first + 1))...) in parallel.
// `reduce` takes and returns T. It must be associative; it need not be commutative, because the
// operands stay in order. `transform` receives the integer, or what the iterator points at; what it
// returns becomes a T. T is movable. Each worker reduces its own part in order, and the calling
// worker combines the parts at the end; there is one part more than there were steals. Exceptions
// are as in parallel_for.
//
// A last argument of type `grain` makes workers take blocks, as in parallel_for_blocks. Each block
// is reduced by itself, so that the compiler can keep its sum in a register.
template <class I, class T, class Reduce, detail::no_grain Transform, std::same_as<grain>... G>
T parallel_reduce(detail::bound<I> first, I last, T init, Reduce &&reduce, Transform &&transform,
                  G... g) {
    return detail::reduce_each(first.value, last, std::move(init), reduce, transform,
                               g.iterations...);
}

template <class I, class J, class T, class Reduce, detail::no_grain Transform,
          std::same_as<grain>... G>
    requires detail::two_bounds<I, J>
T parallel_reduce(I first, J last, T init, Reduce &&reduce, Transform &&transform, G... g) {
    const auto bounds = detail::common_bounds(first, last);
    return parallel_reduce(bounds.first, bounds.last, std::move(init), reduce, transform, g...);
}

template <detail::any_range R, class T, detail::functor Reduce, detail::no_grain Transform,
          std::same_as<grain>... G>
T parallel_reduce(R &&range, T init, Reduce &&reduce, Transform &&transform, G... g) {
    const auto first = detail::begin_of(range);
    return parallel_reduce(first, detail::end_of(range, first), std::move(init), reduce, transform,
                           g...);
}

// As above without a transform: the integers or the elements themselves become values of type T.
template <class I, class T, class Reduce, std::same_as<grain>... G>
T parallel_reduce(detail::bound<I> first, I last, T init, Reduce &&reduce, G... g) {
    detail::as_is transform;
    return parallel_reduce(first.value, last, std::move(init), reduce, transform, g...);
}

template <class I, class J, class T, class Reduce, std::same_as<grain>... G>
    requires detail::two_bounds<I, J>
T parallel_reduce(I first, J last, T init, Reduce &&reduce, G... g) {
    const auto bounds = detail::common_bounds(first, last);
    return parallel_reduce(bounds.first, bounds.last, std::move(init), reduce, detail::as_is{},
                           g...);
}

template <detail::any_range R, class T, detail::functor Reduce, std::same_as<grain>... G>
T parallel_reduce(R &&range, T init, Reduce &&reduce, G... g) {
    const auto first = detail::begin_of(range);
    return parallel_reduce(first, detail::end_of(range, first), std::move(init), reduce,
                           detail::as_is{}, g...);
}

// As above, but `transform` receives the bounds of a block, as the body of parallel_for_blocks
// does, and returns the value of the whole block. For a sum whose inner loop the compiler can turn
// into vector instructions, or for values that take some preparation.
template <class I, class T, class Reduce, class Transform>
T parallel_reduce_blocks(detail::bound<I> first, I last, T init, Reduce &&reduce,
                         Transform &&transform, grain g = {}) {
    detail::check_blocks<Transform, I>();
    detail::check_combines<Reduce, T>();
    if constexpr (detail::takes_blocks<Transform, I> && detail::combines<Reduce, T>) {
        const detail::blocks cut(detail::distance(first.value, last), g.iterations);
        return detail::reduce_loop(
            cut.count, std::move(init), reduce, [&](std::uint64_t block) -> decltype(auto) {
                return transform(detail::advanced(first.value, cut.begin(block)),
                                 detail::advanced(first.value, cut.end(block)));
            });
    } else {
        return init;
    }
}

template <class I, class J, class T, class Reduce, class Transform>
    requires detail::two_bounds<I, J>
T parallel_reduce_blocks(I first, J last, T init, Reduce &&reduce, Transform &&transform,
                         grain g = {}) {
    const auto bounds = detail::common_bounds(first, last);
    return parallel_reduce_blocks(bounds.first, bounds.last, std::move(init), reduce, transform, g);
}

template <detail::any_range R, class T, detail::functor Reduce, class Transform>
T parallel_reduce_blocks(R &&range, T init, Reduce &&reduce, Transform &&transform, grain g = {}) {
    const auto first = detail::begin_of(range);
    return parallel_reduce_blocks(first, detail::end_of(range, first), std::move(init), reduce,
                                  transform, g);
}

} // namespace saguaro
