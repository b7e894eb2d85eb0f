// SPDX-License-Identifier: MIT
// Loops, which the runtime cuts up only when a worker without work steals a part.
#pragma once

#include "saguaro/detail/loop.hpp"

#include <concepts>
#include <cstdint>
#include <iterator>
#include <type_traits>
#include <utility>

namespace saguaro {

// What a loop may count with: integers and random access iterators.
template <class I>
concept loop_index = std::integral<I> || std::random_access_iterator<I>;

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

// Calls body(i) for each integer i in [first, last), or body(*i) for random access iterators.
// Iterations may run in parallel; each worker runs its own in order. The loop is cut up only when
// another worker steals, so it needs no grain size. A step costs a store, a load and a branch.
//
// If several iterations throw, the exception of the first of them leaves; iterations after that one
// may or may not have run. A thread outside of any worker enters one, as by `run`.
template <loop_index I, class Body>
void parallel_for(I first, I last, Body &&body) {
    struct part {
        I first;
        std::remove_reference_t<Body> &body;

        void operator()(std::uint64_t offset) {
            if constexpr (std::integral<I>)
                body(detail::advanced(first, offset));
            else
                body(*detail::advanced(first, offset));
        }
        void finish() {}
    };
    const auto make = [&] { return part{first, body}; };
    detail::run_loop(detail::distance(first, last), make);
}

// As above with bounds of two integer types: both are converted to their common type.
template <std::integral I, std::integral J, class Body>
    requires(!std::same_as<I, J>)
void parallel_for(I first, J last, Body &&body) {
    using index = std::common_type_t<I, J>;
    parallel_for(static_cast<index>(first), static_cast<index>(last), std::forward<Body>(body));
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
template <loop_index I, class Body>
    requires std::invocable<Body &, I, I>
void parallel_for_blocks(I first, I last, Body &&body, grain g = {}) {
    detail::run_blocks({detail::distance(first, last), g.iterations},
                       [&](std::uint64_t b, std::uint64_t e) {
                           body(detail::advanced(first, b), detail::advanced(first, e));
                       });
}

// As above with bounds of two integer types: both are converted to their common type.
template <std::integral I, std::integral J, class Body>
    requires(!std::same_as<I, J>)
void parallel_for_blocks(I first, J last, Body &&body, grain g = {}) {
    using index = std::common_type_t<I, J>;
    parallel_for_blocks(static_cast<index>(first), static_cast<index>(last),
                        std::forward<Body>(body), g);
}

// As parallel_for(first, last, body), but a worker takes blocks as in parallel_for_blocks, and runs
// each block in ascending order. A loop needs this only if its body is so short that a store, a
// load and a branch matter, or if neighbouring iterations should run on one worker.
template <loop_index I, class Body>
void parallel_for(I first, I last, Body &&body, grain g) {
    const auto block = [&](I i, I end) {
        for (; i != end; ++i)
            if constexpr (std::integral<I>)
                body(i);
            else
                body(*i);
    };
    parallel_for_blocks(first, last, block, g);
}

// As above with bounds of two integer types: both are converted to their common type.
template <std::integral I, std::integral J, class Body>
    requires(!std::same_as<I, J>)
void parallel_for(I first, J last, Body &&body, grain g) {
    using index = std::common_type_t<I, J>;
    parallel_for(static_cast<index>(first), static_cast<index>(last), std::forward<Body>(body), g);
}

} // namespace saguaro
