// SPDX-License-Identifier: MIT
// Combining the values that the iterations of a loop compute.
#pragma once

#include "saguaro/detail/loop_results.hpp"
#include "saguaro/parallel_for.hpp"

#include <cstdint>
#include <optional>
#include <type_traits>
#include <utility>

namespace saguaro {

// Computes reduce(...reduce(reduce(init, transform(first)), transform(first + 1))...) in parallel.
// `reduce` takes and returns T. It must be associative; it need not be commutative, because the
// operands stay in order. `transform` receives the integer, or what the iterator points at. T is
// movable. Each worker reduces its own part in order, and the calling worker combines the parts at
// the end; there is one part more than there were steals. Exceptions are as in parallel_for.
template <loop_index I, class T, class Reduce, class Transform>
T parallel_reduce(I first, I last, T init, Reduce &&reduce, Transform &&transform) {
    detail::loop_results<T> results;
    struct part {
        I first;
        std::remove_reference_t<Reduce> &reduce;
        std::remove_reference_t<Transform> &transform;
        detail::loop_results<T> &results;
        std::uint64_t begin = 0;
        std::optional<T> sum;

        T value_at(std::uint64_t offset) {
            if constexpr (std::integral<I>)
                return transform(detail::advanced(first, offset));
            else
                return transform(*detail::advanced(first, offset));
        }
        void operator()(std::uint64_t offset) {
            if (sum) {
                *sum = reduce(std::move(*sum), value_at(offset));
            } else {
                begin = offset;
                sum.emplace(value_at(offset));
            }
        }
        // A part that was cancelled before its first step has nothing to hand in.
        void finish() {
            if (sum)
                results.add(begin, std::move(*sum));
        }
    };
    const auto make = [&] { return part{first, reduce, transform, results, 0, std::nullopt}; };
    detail::run_loop(detail::distance(first, last), make);
    for (auto &result : results.sorted())
        init = reduce(std::move(init), std::move(result.value));
    return init;
}

} // namespace saguaro
