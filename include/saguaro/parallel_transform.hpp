// SPDX-License-Identifier: MIT
// Applying a function to each element of a range, as std::transform does.
#pragma once

#include "saguaro/detail/cxx20.hpp"

#include "saguaro/detail/loop.hpp"
#include "saguaro/parallel_for.hpp"

#include <cstdint>
#include <type_traits>

namespace saguaro {

// Sets out[i] = f(first[i]) for each element of [first, last), and returns the end of what it has
// written. `out` may be `first`; otherwise the two must not overlap.
//
// Workers take elements in blocks of at least `g` (see parallel_for_blocks), so that the compiler
// can use vector instructions. `first` and `last` may be integers, which `f` receives then. Calls
// of `f` may run in parallel; within a block they are in order. The result does not depend on the
// workers. Exceptions and calls from outside are as in parallel_for; what was written before an
// exception stays.
template <class In, class Out, class F>
    requires detail::random_access<Out>
Out parallel_transform(detail::bound<In> first, In last, Out out, F &&f, grain g = {}) {
    detail::check_transform<F, Out, In>();
    if constexpr (detail::transforms<F, Out, In> && !detail::shares_words<Out>) {
        const std::uint64_t n = detail::distance(first.value, last);
        detail::run_blocks({n, g.iterations}, [&](std::uint64_t b, std::uint64_t e) {
            In from = detail::advanced(first.value, b);
            for (Out to = detail::advanced(out, b); b != e; ++b, ++from, ++to)
                *to = detail::operand<detail::element_of<Out>>(detail::call_at(f, from));
        });
        return detail::advanced(out, n);
    } else {
        return out;
    }
}

template <class In, class Last, class Out, class F>
    requires detail::two_bounds<In, Last> && detail::random_access<Out>
Out parallel_transform(In first, Last last, Out out, F &&f, grain g = {}) {
    const auto bounds = detail::common_bounds(first, last);
    return parallel_transform(bounds.first, bounds.last, out, f, g);
}

template <detail::any_range R, class Out, class F>
    requires detail::random_access<Out>
Out parallel_transform(R &&range, Out out, F &&f, grain g = {}) {
    const auto first = detail::begin_of(range);
    return parallel_transform(first, detail::end_of(range, first), out, f, g);
}

// Sets out[i] = f(first[i], second[i]) for each element of [first, last). `out` may be `first` or
// `second` or both. `second` is an iterator, or a range that is no shorter. All else is as above.
template <class In, class Second, class Out, class F>
    requires detail::random_access<Second> && detail::random_access<Out>
Out parallel_transform(detail::bound<In> first, In last, Second second, Out out, F &&f,
                       grain g = {}) {
    detail::check_transform<F, Out, In, Second>();
    if constexpr (detail::transforms<F, Out, In, Second> && !detail::shares_words<Out>) {
        const std::uint64_t n = detail::distance(first.value, last);
        detail::run_blocks({n, g.iterations}, [&](std::uint64_t b, std::uint64_t e) {
            In from = detail::advanced(first.value, b);
            Second with = detail::advanced(second, b);
            for (Out to = detail::advanced(out, b); b != e; ++b, ++from, ++with, ++to)
                *to = detail::operand<detail::element_of<Out>>(
                    detail::call(f, detail::element_at(from), *with));
        });
        return detail::advanced(out, n);
    } else {
        return out;
    }
}

template <class In, class Last, class Second, class Out, class F>
    requires detail::two_bounds<In, Last> && detail::random_access<Second> &&
             detail::random_access<Out>
Out parallel_transform(In first, Last last, Second second, Out out, F &&f, grain g = {}) {
    const auto bounds = detail::common_bounds(first, last);
    return parallel_transform(bounds.first, bounds.last, second, out, f, g);
}

namespace detail {

// An iterator after a range. A pointer after an array is the end of that.
template <class R, class Second>
concept second_input = random_access<Second> &&
                       !(std::is_array_v<std::remove_cvref_t<R>> && std::is_pointer_v<Second>);

} // namespace detail

template <detail::any_range R, class Second, class Out, class F>
    requires(detail::random_access<Out> &&
             (detail::any_range<Second> || detail::second_input<R, std::decay_t<Second>>))
Out parallel_transform(R &&range, Second &&second, Out out, F &&f, grain g = {}) {
    const auto first = detail::begin_of(range);
    const auto last = detail::end_of(range, first);
    if constexpr (detail::any_range<Second>)
        return parallel_transform(first, last, detail::begin_of(second), out, f, g);
    else
        return parallel_transform(first, last, second, out, f, g);
}

} // namespace saguaro
