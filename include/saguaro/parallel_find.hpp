// SPDX-License-Identifier: MIT
// Searching a range for the first match, in parallel.
#pragma once

#include "saguaro/detail/cxx20.hpp"

#include "saguaro/detail/find_loop.hpp"
#include "saguaro/parallel_for.hpp"

#include <algorithm>
#include <utility>

namespace saguaro {

// The first element of [first, last) for which `match` is true, as std::find_if finds it, or `last`
// if there is none. Calls match(*i) for random access iterators and match(i) for integers. The
// result is the first match in the serial order, on any number of workers.
//
// The search proceeds in windows: the first has 16384 elements (or 16 blocks, if that is more), and
// each following one twice as many. The workers share a window. So p workers find a match in the
// middle of the range up to p times as fast. If a serial search looks at n elements, this one looks
// at no more than 2n + 16384 (or 32 g) elements. Within a window workers take blocks of at least
// `g` elements, as in parallel_for_blocks. A worker stops when it has ended a block behind a match.
// One worker looks at exactly the elements of the serial search.
//
// If `match` throws, the exception leaves if the serial search would have met it, that is, if no
// match comes before it; of several exceptions the first one leaves. In a cancelled scope a match
// may be missed. A thread outside of any worker enters one, as by `run`.
template <class I, class Match>
I parallel_find_if(detail::bound<I> first, I last, Match &&match, grain g = {}) {
    detail::check_match<I, Match>();
    if constexpr (detail::matches<I, Match>)
        return detail::find_place(
            first.value, last,
            [&](I from, I to) {
                if constexpr (detail::integer<I>) {
                    while (from != to && !detail::call_at(match, from))
                        ++from;
                    return from;
                } else {
                    return std::find_if(from, to, [&](auto &&element) -> bool {
                        return detail::call(match, std::forward<decltype(element)>(element));
                    });
                }
            },
            g.iterations);
    else
        return last;
}

template <class I, class J, class Match>
    requires detail::two_bounds<I, J>
detail::index_of<I, J> parallel_find_if(I first, J last, Match &&match, grain g = {}) {
    const auto bounds = detail::common_bounds(first, last);
    return parallel_find_if(bounds.first, bounds.last, match, g);
}

template <detail::any_range R, class Match>
detail::iterator_of<R> parallel_find_if(R &&range, Match &&match, grain g = {}) {
    detail::check_outlives<R>();
    const auto first = detail::begin_of(range);
    return parallel_find_if(first, detail::end_of(range, first), match, g);
}

// As parallel_find_if, but search(b, e) looks through a block [b, e) by itself: it returns the
// first match there, or `e`.
template <class I, class Search>
I parallel_find_blocks(detail::bound<I> first, I last, Search &&search, grain g = {}) {
    detail::check_search<I, Search>();
    if constexpr (detail::searches<I, Search>)
        return detail::find_place(first.value, last, search, g.iterations);
    else
        return last;
}

template <class I, class J, class Search>
    requires detail::two_bounds<I, J>
detail::index_of<I, J> parallel_find_blocks(I first, J last, Search &&search, grain g = {}) {
    const auto bounds = detail::common_bounds(first, last);
    return parallel_find_blocks(bounds.first, bounds.last, search, g);
}

template <detail::any_range R, class Search>
detail::iterator_of<R> parallel_find_blocks(R &&range, Search &&search, grain g = {}) {
    detail::check_outlives<R>();
    const auto first = detail::begin_of(range);
    return parallel_find_blocks(first, detail::end_of(range, first), search, g);
}

// The first element of [first, last) that equals `value`. All else is as in parallel_find_if.
template <class I, class T>
I parallel_find(detail::bound<I> first, I last, const T &value, grain g = {}) {
    const detail::equals<T> match{value};
    return parallel_find_if(first.value, last, match, g);
}

template <class I, class J, class T>
    requires detail::two_bounds<I, J>
detail::index_of<I, J> parallel_find(I first, J last, const T &value, grain g = {}) {
    const auto bounds = detail::common_bounds(first, last);
    return parallel_find(bounds.first, bounds.last, value, g);
}

template <detail::any_range R, class T>
detail::iterator_of<R> parallel_find(R &&range, const T &value, grain g = {}) {
    const detail::equals<T> match{value};
    return parallel_find_if(std::forward<R>(range), match, g);
}

} // namespace saguaro
