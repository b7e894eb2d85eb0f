// SPDX-License-Identifier: MIT
// Loops, which the runtime cuts up only when a worker without work steals a part.
#pragma once

#include "saguaro/detail/cxx20.hpp"

#include "saguaro/detail/loop.hpp"
#include "saguaro/detail/places.hpp"

#include <concepts>
#include <cstdint>
#include <type_traits>
#include <utility>

namespace saguaro {

// What a loop may count with: integers, those of 128 bits too, and iterators with random access.
// An iterator of C++17 that returns values, such as boost::counting_iterator, is one of these.
//
// All loops and algorithms take bounds of two types, which become their common type: of int and
// std::size_t the latter, of an iterator and a const_iterator the latter. If the common type is
// unsigned, a negative bound has no place there. If the unsigned bound's type is the wider one, the
// loop then throws std::invalid_argument; if both are as wide, it compiles only if the signed bound
// comes first and is a constant of at least 0: parallel_for(0, 3u, body) compiles,
// parallel_for(-3, 3u, body) does not.
//
// All take a range instead of its two bounds: a container, an array, a view with random access.
// Functions that receive one element may be pointers to its members.
template <class I>
concept loop_index = detail::place_to_start<I>;

// The least number of iterations in a block of a loop. With 0 the length of the loop decides, so
// that the blocks are the same on any number of workers: a block is a 1024th of the loop, but at
// most 16 iterations; or a 4096th of the loop if that is more, but at most 1024 iterations. It has
// at least 1. So a long loop has some thousand blocks, which is enough for hundreds of workers.
//
// Measured with blocks that add up ints, on one worker: blocks of one int take 2.4 times the serial
// loop's time, from 16 on there is no difference. 1024 leaves room for shorter bodies, and such a
// block still ends within microseconds.
struct grain {
    std::uint64_t iterations = 0;
};

namespace detail {

// What a last argument may be that is no grain: the first value of a scan, a transform.
template <class T>
concept no_grain = !std::same_as<std::remove_cvref_t<T>, grain>;

} // namespace detail

// Calls body(i) for each integer i in [first, last), or body(*i) for random access iterators.
// Iterations may run in parallel; each worker runs its own in order. The loop is cut up only when
// another worker steals, so it needs no grain size. A step costs a store, a load and a branch.
//
// If several iterations throw, the exception of the first of them leaves; iterations after that one
// may or may not have run. A thread outside of any worker enters one, as by `run`.
//
// The elements of a vector<bool> share words, which workers would write at once: such a loop does
// not compile. Those of a const vector<bool> can be read.
template <class I, class Body>
void parallel_for(detail::bound<I> first, I last, Body &&body) {
    detail::check_loop<I, Body>();
    if constexpr (detail::loops<I, Body>) {
        struct part {
            I first;
            std::remove_reference_t<Body> &body;

            void operator()(std::uint64_t offset) {
                detail::call_at(body, detail::advanced(first, offset));
            }
            void finish() {}
        };
        const auto make = [&] { return part{first.value, body}; };
        detail::run_loop(detail::distance(first.value, last), make);
    }
}

template <class I, class J, class Body>
    requires detail::two_bounds<I, J>
void parallel_for(I first, J last, Body &&body) {
    const auto bounds = detail::common_bounds(first, last);
    parallel_for(bounds.first, bounds.last, body);
}

template <detail::any_range R, class Body>
void parallel_for(R &&range, Body &&body) {
    const auto first = detail::begin_of(range);
    parallel_for(first, detail::end_of(range, first), body);
}

// Calls body(b, e) for consecutive blocks [b, e) of [first, last). Each block has at least `g`
// iterations and less than twice as many, unless the loop has fewer in all. Use it if the compiler
// can turn the body's own loop into vector instructions, or if the body prepares something for many
// iterations.
//
// The length of the loop and `g` decide where the blocks end; the workers do not. Blocks may run in
// parallel; each worker runs its own in ascending order. No block is ever split: if there are few
// blocks, few workers find something to do. Exceptions and calls from outside are as in
// parallel_for.
template <class I, class Body>
void parallel_for_blocks(detail::bound<I> first, I last, Body &&body, grain g = {}) {
    detail::check_blocks<Body, I>();
    detail::check_written<I>();
    if constexpr (detail::loops_over_blocks<I, Body>)
        detail::run_blocks({detail::distance(first.value, last), g.iterations},
                           [&](std::uint64_t b, std::uint64_t e) {
                               body(detail::advanced(first.value, b),
                                    detail::advanced(first.value, e));
                           });
}

template <class I, class J, class Body>
    requires detail::two_bounds<I, J>
void parallel_for_blocks(I first, J last, Body &&body, grain g = {}) {
    const auto bounds = detail::common_bounds(first, last);
    parallel_for_blocks(bounds.first, bounds.last, body, g);
}

template <detail::any_range R, class Body>
void parallel_for_blocks(R &&range, Body &&body, grain g = {}) {
    const auto first = detail::begin_of(range);
    parallel_for_blocks(first, detail::end_of(range, first), body, g);
}

// As parallel_for(first, last, body), but a worker takes blocks as in parallel_for_blocks, and runs
// each block in ascending order. A loop needs this only if its body is so short that a store, a
// load and a branch matter, or if neighbouring iterations should run on one worker.
template <class I, class Body>
void parallel_for(detail::bound<I> first, I last, Body &&body, grain g) {
    detail::check_loop<I, Body>();
    if constexpr (detail::loops<I, Body>) {
        const auto block = [&](I i, I end) {
            for (; i != end; ++i)
                detail::call_at(body, i);
        };
        parallel_for_blocks(first.value, last, block, g);
    }
}

template <class I, class J, class Body>
    requires detail::two_bounds<I, J>
void parallel_for(I first, J last, Body &&body, grain g) {
    const auto bounds = detail::common_bounds(first, last);
    parallel_for(bounds.first, bounds.last, body, g);
}

template <detail::any_range R, class Body>
void parallel_for(R &&range, Body &&body, grain g) {
    const auto first = detail::begin_of(range);
    parallel_for(first, detail::end_of(range, first), body, g);
}

// Loops with a step: body(i) for i = first, first + step, first + 2 * step and so on, as long as i
// is in front of `last`; or body(*i) for iterators. With a negative step the loop goes down, as
// long as i is greater than `last`. If `last` is not on that side of `first`, the loop is empty.
//
// The step is an integer of any type. It does not count for the type of the loop: i is of the
// bounds' common type, also where that is unsigned and the step negative. Whatever the step, i
// never leaves the bounds, so it does not overflow at the end of its type, and no iterator passes
// `last`. A step of 0 throws std::invalid_argument, even if the loop is empty.
//
// parallel_for(range, step, body) takes the first element of the range and each step-th after it; a
// negative step throws std::invalid_argument there. With a grain, a block has that many iterations,
// not indices. All else is as in the loops above. An iteration costs a multiplication more.
template <class I, detail::number S, class Body, std::same_as<grain>... G>
void parallel_for(detail::bound<I> first, I last, S step, Body &&body, G... g) {
    detail::check_loop<I, Body>();
    detail::check_step<S>();
    if constexpr (detail::loops<I, Body> && detail::integer<S>) {
        const detail::places<I> visited(first.value, last, step);
        const auto visit = [&](std::uint64_t i) { detail::call_at(body, visited[i]); };
        parallel_for(std::uint64_t{0}, visited.count(), visit, g...);
    }
}

template <class I, class J, detail::number S, class Body, std::same_as<grain>... G>
    requires detail::two_bounds<I, J>
void parallel_for(I first, J last, S step, Body &&body, G... g) {
    const auto bounds = detail::common_bounds(first, last);
    parallel_for(bounds.first, bounds.last, step, body, g...);
}

template <detail::any_range R, detail::number S, class Body, std::same_as<grain>... G>
void parallel_for(R &&range, S step, Body &&body, G... g) {
    detail::check_forward(step);
    const auto first = detail::begin_of(range);
    parallel_for(first, detail::end_of(range, first), step, body, g...);
}

} // namespace saguaro
