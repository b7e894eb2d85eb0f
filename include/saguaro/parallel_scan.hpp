// SPDX-License-Identifier: MIT
// Prefix sums, with any associative operation.
#pragma once

#include "saguaro/detail/cxx20.hpp"

#include "saguaro/detail/scan_loop.hpp"
#include "saguaro/parallel_for.hpp"

#include <functional>
#include <optional>
#include <utility>

namespace saguaro {

// The inclusive prefix sums, as std::inclusive_scan: out[i] = op(...op(op(first[0], first[1]),
// first[2])..., first[i]). Returns the end of what was written. `out` may be `first`; otherwise the
// two must not overlap.
//
// `op` must be associative; it need not be commutative, because operands stay in order. It takes
// two T, by value or by constant reference, and returns one. T is the type of an element, and is
// copied. With an associative `op` the result is the serial one on any number of workers.
// Floating-point addition is not quite associative, so the last bits of its sums depend on the
// steals.
//
// For n elements `op` is applied less than 2n times, and n - 1 times on one worker: only stolen
// parts are visited a second time. So p workers are at best p * p / (2p - 1) times as fast as one,
// 1.33 times with two. Workers take elements in blocks of at least `g`, as in parallel_for_blocks.
//
// If `op` throws, what `out` holds is unspecified. Of several exceptions that of the first block
// leaves; an exception that occurs only when sums of stolen parts are added comes after all others.
// In a cancelled scope the result is not complete. A thread outside of any worker enters one, as by
// `run`.
template <class In, class Out, class Op = std::plus<>>
Out parallel_scan(detail::bound<In> first, In last, Out out, Op &&op = {}, grain g = {}) {
    using sum = typename detail::scanned<In>::type;
    return detail::scan<detail::scan_kind::inclusive, sum>(first.value, last, out, op, std::nullopt,
                                                           g.iterations);
}

template <class In, class Last, class Out, class Op = std::plus<>>
    requires detail::two_bounds<In, Last>
Out parallel_scan(In first, Last last, Out out, Op &&op = {}, grain g = {}) {
    const auto bounds = detail::common_bounds(first, last);
    return parallel_scan(bounds.first, bounds.last, out, op, g);
}

template <detail::any_range R, class Out, detail::functor Op = std::plus<>>
Out parallel_scan(R &&range, Out out, Op &&op = {}, grain g = {}) {
    const auto first = detail::begin_of(range);
    return parallel_scan(first, detail::end_of(range, first), out, op, g);
}

// As above with `init` before the first element: out[i] = op(...op(init, first[0])..., first[i]).
// T is the type of `init`, and is made of an element where a strand begins; `out` must hold any T
// without loss. `op` is applied at most 2n times.
template <class In, class Out, class Op, detail::no_grain T>
Out parallel_scan(detail::bound<In> first, In last, Out out, Op &&op, T init, grain g = {}) {
    return detail::scan<detail::scan_kind::inclusive, T>(first.value, last, out, op,
                                                         std::move(init), g.iterations);
}

template <class In, class Last, class Out, class Op, detail::no_grain T>
    requires detail::two_bounds<In, Last>
Out parallel_scan(In first, Last last, Out out, Op &&op, T init, grain g = {}) {
    const auto bounds = detail::common_bounds(first, last);
    return parallel_scan(bounds.first, bounds.last, out, op, std::move(init), g);
}

template <detail::any_range R, class Out, detail::functor Op, detail::no_grain T>
Out parallel_scan(R &&range, Out out, Op &&op, T init, grain g = {}) {
    const auto first = detail::begin_of(range);
    return parallel_scan(first, detail::end_of(range, first), out, op, std::move(init), g);
}

// The exclusive prefix sums, as std::exclusive_scan: out[0] = init, out[i] = op(...op(init,
// first[0])..., first[i - 1]). The last element is not used. All else as above.
template <class In, class Out, class T, class Op = std::plus<>>
Out parallel_exclusive_scan(detail::bound<In> first, In last, Out out, T init, Op &&op = {},
                            grain g = {}) {
    return detail::scan<detail::scan_kind::exclusive, T>(first.value, last, out, op,
                                                         std::move(init), g.iterations);
}

template <class In, class Last, class Out, class T, class Op = std::plus<>>
    requires detail::two_bounds<In, Last>
Out parallel_exclusive_scan(In first, Last last, Out out, T init, Op &&op = {}, grain g = {}) {
    const auto bounds = detail::common_bounds(first, last);
    return parallel_exclusive_scan(bounds.first, bounds.last, out, std::move(init), op, g);
}

template <detail::any_range R, class Out, class T, detail::functor Op = std::plus<>>
Out parallel_exclusive_scan(R &&range, Out out, T init, Op &&op = {}, grain g = {}) {
    const auto first = detail::begin_of(range);
    return parallel_exclusive_scan(first, detail::end_of(range, first), out, std::move(init), op,
                                   g);
}

} // namespace saguaro
