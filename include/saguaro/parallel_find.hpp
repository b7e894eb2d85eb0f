// SPDX-License-Identifier: MIT
// Searching a range for the first match, in parallel.
#pragma once

#include "saguaro/detail/find_loop.hpp"
#include "saguaro/parallel_for.hpp"

#include <algorithm>
#include <concepts>
#include <cstdint>
#include <functional>
#include <iterator>

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
template <loop_index I, class Match>
I parallel_find_if(I first, I last, Match &&match, grain g = {}) {
    const std::uint64_t n = detail::distance(first, last);
    const auto search = [&](std::uint64_t begin, std::uint64_t end) {
        if constexpr (std::integral<I>) {
            while (begin != end && !match(detail::advanced(first, begin)))
                ++begin;
            return begin;
        } else {
            const I from = detail::advanced(first, begin);
            const I at = std::find_if(from, detail::advanced(first, end), std::ref(match));
            return begin + detail::distance(from, at);
        }
    };
    return saguaro::run([&] {
        std::uint64_t window = std::max(detail::first_find_window, 16 * g.iterations);
        for (std::uint64_t done = 0; done != n; window *= 2) {
            window = std::min(window, n - done);
            const auto in_window = [&](std::uint64_t begin, std::uint64_t end) {
                return search(done + begin, done + end) - done;
            };
            const std::uint64_t found =
                detail::find_loop(detail::blocks(window, g.iterations), in_window).run();
            if (found != window)
                return detail::advanced(first, done + found);
            done += window;
        }
        return last;
    });
}

// The first element of [first, last) that equals `value`. All else is as in parallel_find_if.
template <std::random_access_iterator I, class T>
    requires std::equality_comparable_with<std::iter_reference_t<I>, const T &>
I parallel_find(I first, I last, const T &value, grain g = {}) {
    return parallel_find_if(first, last, [&](const auto &element) { return element == value; }, g);
}

} // namespace saguaro
