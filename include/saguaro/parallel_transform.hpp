// SPDX-License-Identifier: MIT
// Functions of each element, as std::transform.
#pragma once

#include "saguaro/parallel_for.hpp"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <iterator>

namespace saguaro {

// out[i] = f(first[i]) for each element of [first, last); returns the end of what was written.
// `out` may be `first`; otherwise the two must not overlap.
//
// Elements are taken in blocks of at least `g` (see parallel_for_blocks), each by std::transform,
// so that the compiler can use vector instructions. Calls of `f` may run in parallel; within a
// block they are in order. The result does not depend on the workers. Exceptions and calls from
// outside as in parallel_for; what was written before an exception stays.
template <std::random_access_iterator In, std::random_access_iterator Out, class F>
Out parallel_transform(In first, In last, Out out, F &&f, grain g = {}) {
    const std::uint64_t n = detail::distance(first, last);
    detail::run_blocks({n, g}, [&](std::uint64_t b, std::uint64_t e) {
        std::transform(detail::advanced(first, b), detail::advanced(first, e),
                       detail::advanced(out, b), std::ref(f));
    });
    return detail::advanced(out, n);
}

// out[i] = f(first[i], second[i]) for each element of [first, last); all else as above. `out` may
// be `first` or `second` or both.
template <std::random_access_iterator In, std::random_access_iterator Second,
          std::random_access_iterator Out, class F>
Out parallel_transform(In first, In last, Second second, Out out, F &&f, grain g = {}) {
    const std::uint64_t n = detail::distance(first, last);
    detail::run_blocks({n, g}, [&](std::uint64_t b, std::uint64_t e) {
        std::transform(detail::advanced(first, b), detail::advanced(first, e),
                       detail::advanced(second, b), detail::advanced(out, b), std::ref(f));
    });
    return detail::advanced(out, n);
}

} // namespace saguaro
