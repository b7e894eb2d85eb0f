// SPDX-License-Identifier: MIT
// Prefix sums, with any associative operation.
#pragma once

#include "saguaro/detail/cxx20.hpp"

#include "saguaro/detail/scan_blocks.hpp"
#include "saguaro/detail/scan_loop.hpp"
#include "saguaro/parallel_for.hpp"

#include <functional>
#include <optional>
#include <type_traits>
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

// A scan in which the program's functions sum up and write whole blocks. Use it if the compiler can
// turn a block's own loop into vector instructions, or if the results are not the sums: a filter,
// for example, sums up how many elements it keeps, and writes those.
//
//     sum(b, e)            returns the sum of the elements in a block [b, e)
//     write(b, e, before)  writes the block's results, given the sum of `init` and all elements
//                          before the block; returns op(before, sum(b, e))
//
// Returns the sum of all, op(init, ...), or `init` if there are none. T is the type of `init`, and
// is copied. `op` takes two T and returns one; it must be associative, and need not be commutative.
//
// `write` is called once for each block, `sum` at most once: on one worker never, on several for
// blocks that were stolen. One worker visits each element once, as the serial loop does.
// Each strand writes its blocks in ascending order. A T is kept for each stolen block. Blocks are
// those of parallel_for_blocks: the length of the loop and `g` decide where they end.
//
// If a function throws, which blocks have been written is unspecified. Of several exceptions that
// of the first block leaves; an exception that occurs only when stolen blocks are written comes
// after all others. In a cancelled scope the result is not complete. A thread outside of any worker
// enters one, as by `run`.
template <class I, class T, class Op, class Sum, class Write>
T parallel_scan_blocks(detail::bound<I> first, I last, T init, Op &&op, Sum &&sum, Write &&write,
                       grain g = {}) {
    detail::check_scan_blocks<Op, T, Sum, Write, I>();
    if constexpr (detail::scans_blocks<Op, T, Sum, Write, I>)
        return detail::scan_blocks_loop<I, T, std::remove_reference_t<Op>,
                                        std::remove_reference_t<Sum>,
                                        std::remove_reference_t<Write>>(
                   first.value, last, std::move(init), op, sum, write, g.iterations)
            .run();
    else
        return init;
}

template <class I, class J, class T, class Op, class Sum, class Write>
    requires detail::two_bounds<I, J>
T parallel_scan_blocks(I first, J last, T init, Op &&op, Sum &&sum, Write &&write, grain g = {}) {
    const auto bounds = detail::common_bounds(first, last);
    return parallel_scan_blocks(bounds.first, bounds.last, std::move(init), op, sum, write, g);
}

template <detail::any_range R, class T, detail::functor Op, class Sum, class Write>
T parallel_scan_blocks(R &&range, T init, Op &&op, Sum &&sum, Write &&write, grain g = {}) {
    const auto first = detail::begin_of(range);
    return parallel_scan_blocks(first, detail::end_of(range, first), std::move(init), op, sum,
                                write, g);
}

} // namespace saguaro
