// SPDX-License-Identifier: MIT
// Applying a function to each element of a range, as std::transform does.
#pragma once

#include "saguaro/parallel_for.hpp"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <iterator>

namespace saguaro {

// Sets out[i] = f(first[i]) for each element of [first, last), and returns the end of what it has
// written. `out` may be `first`; otherwise the two must not overlap.
//
// Workers take elements in blocks of at least `g` (see parallel_for_blocks) and call std::transform
// for each block, so that the compiler can use vector instructions. Calls of `f` may run in
// parallel; within a block they are in order. The result does not depend on the workers. Exceptions
// and calls from outside are as in parallel_for; what was written before an exception stays.
template <std::random_access_iterator In, std::random_access_iterator Out, class F>
Out parallel_transform(In first, In last, Out out, F &&f, grain g = {}) {
    const std::uint64_t n = detail::distance(first, last);
    detail::run_blocks({n, g.iterations}, [&](std::uint64_t b, std::uint64_t e) {
        std::transform(detail::advanced(first, b), detail::advanced(first, e),
                       detail::advanced(out, b), std::ref(f));
    });
    return detail::advanced(out, n);
}

// Sets out[i] = f(first[i], second[i]) for each element of [first, last). `out` may be `first` or
// `second` or both. All else is as above.
template <std::random_access_iterator In, std::random_access_iterator Second,
          std::random_access_iterator Out, class F>
Out parallel_transform(In first, In last, Second second, Out out, F &&f, grain g = {}) {
    const std::uint64_t n = detail::distance(first, last);
    detail::run_blocks({n, g.iterations}, [&](std::uint64_t b, std::uint64_t e) {
        std::transform(detail::advanced(first, b), detail::advanced(first, e),
                       detail::advanced(second, b), detail::advanced(out, b), std::ref(f));
    });
    return detail::advanced(out, n);
}

} // namespace saguaro
