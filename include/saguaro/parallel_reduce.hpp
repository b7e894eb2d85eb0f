// SPDX-License-Identifier: MIT
// Reducing what a loop computes.
#pragma once

#include "saguaro/parallel_for.hpp"

#include <algorithm>
#include <concepts>
#include <cstdint>
#include <mutex>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

namespace saguaro {

namespace detail {

// What the strands of one loop have computed, each for the iterations from one on. There are as
// many as there were steals, and one more.
template <class T>
class partial_results {
public:
    void add(std::uint64_t first, T &&value) {
        const std::lock_guard guard(lock_);
        parts_.emplace_back(first, std::move(value));
    }

    template <class Reduce>
    T combine(T init, Reduce &reduce) {
        std::sort(parts_.begin(), parts_.end(),
                  [](const part &a, const part &b) { return a.first < b.first; });
        for (part &p : parts_)
            init = reduce(std::move(init), std::move(p.second));
        return init;
    }

private:
    using part = std::pair<std::uint64_t, T>;

    std::mutex lock_;
    std::vector<part> parts_;
};

} // namespace detail

// reduce(...reduce(reduce(init, transform(first)), transform(first + 1))...), computed in parallel:
// `reduce` takes and returns T and must be associative; it need not be commutative, the operands
// stay in order. `transform` gets the integer, or what the iterator points at. T is movable. Each
// worker reduces its own part in order; the parts, one more than there were steals, are combined at
// the end. Exceptions as in parallel_for.
template <loop_index I, class T, class Reduce, class Transform>
T parallel_reduce(I first, I last, T init, Reduce &&reduce, Transform &&transform) {
    detail::partial_results<T> results;
    struct part {
        I first;
        std::remove_reference_t<Reduce> &reduce;
        std::remove_reference_t<Transform> &transform;
        detail::partial_results<T> &results;
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
        void finish() { results.add(begin, std::move(*sum)); }
    };
    const auto make = [&] { return part{first, reduce, transform, results, 0, std::nullopt}; };
    detail::run_loop(detail::distance(first, last), make);
    return results.combine(std::move(init), reduce);
}

} // namespace saguaro
