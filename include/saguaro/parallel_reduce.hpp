// SPDX-License-Identifier: MIT
// Reducing what a loop computes.
#pragma once

#include "saguaro/parallel_for.hpp"
#include "saguaro/reducer.hpp"

#include <concepts>
#include <optional>
#include <type_traits>
#include <utility>

namespace saguaro {

namespace detail {

// Any associative function as a monoid: nothing is the identity.
template <class T, class Reduce> struct optional_monoid {
    using value_type = std::optional<T>;

    Reduce &reduce_values;

    value_type identity() const { return std::nullopt; }
    void reduce(value_type &left, value_type &&right) const {
        if (!right)
            return;
        if (left)
            left.emplace(reduce_values(std::move(*left), std::move(*right)));
        else
            left.emplace(std::move(*right));
    }
};

} // namespace detail

// reduce(...reduce(reduce(init, transform(first)), transform(first + 1))...), computed in parallel:
// `reduce` takes and returns T and must be associative; it need not be commutative, the operands
// stay in order. `transform` gets the integer, or what the iterator points at. Each worker reduces
// its own part in order, the parts are combined as reducer views. Exceptions as in parallel_for,
// but none may leave `reduce`.
template <loop_index I, class T, class Reduce, class Transform>
T parallel_reduce(I first, I last, T init, Reduce &&reduce, Transform &&transform) {
    using monoid = detail::optional_monoid<T, std::remove_reference_t<Reduce>>;
    reducer<monoid> total(std::optional<T>(std::move(init)), monoid{reduce});
    struct part {
        I first;
        std::remove_reference_t<Reduce> &reduce;
        std::remove_reference_t<Transform> &transform;
        reducer<monoid> &total;
        std::optional<T> sum;

        T value_at(std::uint64_t offset) {
            if constexpr (std::integral<I>)
                return transform(detail::advanced(first, offset));
            else
                return transform(*detail::advanced(first, offset));
        }
        void operator()(std::uint64_t offset) {
            if (sum)
                *sum = reduce(std::move(*sum), value_at(offset));
            else
                sum.emplace(value_at(offset));
        }
        void finish() { monoid{reduce}.reduce(total.view(), std::move(sum)); }
    };
    const auto make = [&] { return part{first, reduce, transform, total, std::nullopt}; };
    detail::run_loop(detail::distance(first, last), make);
    return std::move(*total.take());
}

} // namespace saguaro
