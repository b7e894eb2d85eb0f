// SPDX-License-Identifier: MIT
// Ready-made monoids for reducer<Monoid>.
//
// `*r` is the value type named with each monoid: `*total += x`, `*names += name`,
// `r->push_back(x)`. Arithmetic types wrap, round or overflow as their operators do. The steals
// decide in which order a floating-point `add` or `mul` is joined, so its last bits may differ from
// run to run. serial_sum and exact_sum have the same bits in each run.
//
// map_merge and set_merge, histogram, top_k, serial_sum and exact_sum are in headers of their own,
// which this one includes.
#pragma once

#include "saguaro/detail/cxx20.hpp"

#include <concepts>
#include <iterator>
#include <limits>
#include <list>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "saguaro/exact_sum.hpp"
#include "saguaro/histogram.hpp"
#include "saguaro/map_merge.hpp"
#include "saguaro/serial_sum.hpp"
#include "saguaro/top_k.hpp"

namespace saguaro {

// Sum; a view is a T. T() is zero and += adds.
template <typename T>
struct add {
    using value_type = T;
    value_type identity() const { return T(); }
    void reduce(value_type &left, value_type &&right) const { left += std::move(right); }
};

// Product; a view is a T. T(1) is one and *= multiplies: numbers, or matrices, where the order
// counts.
template <typename T>
struct mul {
    using value_type = T;
    value_type identity() const { return T(1); }
    void reduce(value_type &left, value_type &&right) const {
        // Short unsigned numbers are promoted to int, where they would overflow instead of
        // wrapping.
        if constexpr (std::unsigned_integral<T>)
            left = static_cast<T>(1U * left * right);
        else
            left *= std::move(right);
    }
};

// What `min` and `max` have in common: the better of two values; of two equal values, that which
// comes first in the serial order.
//
// A view is a T if std::numeric_limits knows T. The identity is then the worst value of T (infinity
// if T has one), and a NaN never replaces a view. For any other T with operator < a view is a
// std::optional<T>, and the identity is the empty one.
template <typename T, bool largest>
struct extremum {
    static constexpr bool has_limits = std::numeric_limits<T>::is_specialized;
    using value_type = std::conditional_t<has_limits, T, std::optional<T>>;

    value_type identity() const {
        if constexpr (!has_limits)
            return std::nullopt;
        else if constexpr (std::numeric_limits<T>::has_infinity)
            return largest ? -std::numeric_limits<T>::infinity()
                           : std::numeric_limits<T>::infinity();
        else
            return largest ? std::numeric_limits<T>::lowest() : std::numeric_limits<T>::max();
    }

    void reduce(value_type &left, value_type &&right) const {
        if constexpr (has_limits)
            update(left, std::move(right));
        else if (right)
            update(left, *std::move(right));
    }

    // view = the better of `view` and `candidate`: what a program does with a strand's view.
    static void update(value_type &view, T candidate) {
        if constexpr (has_limits) {
            if (better(candidate, view))
                view = std::move(candidate);
        } else if (!view || better(candidate, *view)) {
            view = std::move(candidate);
        }
    }

private:
    static bool better(const T &a, const T &b) { return largest ? b < a : a < b; }
};

// Smallest. `*r = std::min(*r, x)` for numbers, `min<T>::update(*r, x)` for any T.
template <typename T>
struct min : extremum<T, false> {};

// Largest, likewise.
template <typename T>
struct max : extremum<T, true> {};

// A value and where it was found. Ordered by the value alone.
template <typename I, typename T>
struct indexed {
    I index;
    T value;

    bool operator<(const indexed &other) const { return value < other.value; }
    bool operator==(const indexed &) const = default;
};

// What `min_index` and `max_index` have in common. A view is a std::optional<indexed<I, T>>, empty
// as long as nothing was found.
template <typename I, typename T, bool largest>
struct indexed_extremum : extremum<indexed<I, T>, largest> {
    using value_type = std::optional<indexed<I, T>>;

    // A program calls this with a strand's view for each value that it finds. A NaN is not found:
    // it is neither less nor greater, so the place where a strand begins would decide whether it
    // stays.
    static void update(value_type &view, I index, T value) {
        if constexpr (std::floating_point<T>)
            if (value != value)
                return;
        extremum<indexed<I, T>, largest>::update(view, {std::move(index), std::move(value)});
    }
};

// The smallest value of type T (with operator <) and its index of any type I: the serially first
// one of equals.
//
//     using least = saguaro::min_index<int, double>;
//     saguaro::reducer<least> nearest;
//     saguaro::parallel_for(0, n, [&](int i) { least::update(*nearest, i, far(i)); });
//     if (nearest.get())
//         std::printf("%d: %g\n", nearest.get()->index, nearest.get()->value);
template <typename I, typename T>
struct min_index : indexed_extremum<I, T, false> {};

// The largest value and its index, likewise.
template <typename I, typename T>
struct max_index : indexed_extremum<I, T, true> {};

// Bitwise and of integers, logical of bool; the identity has all bits set.
template <typename T>
struct band {
    static_assert(std::is_integral_v<T>, "band<T>: T is an integer type or bool");
    using value_type = T;
    value_type identity() const { return static_cast<T>(~0ULL); }
    void reduce(value_type &left, value_type &&right) const { left = static_cast<T>(left & right); }
};

// Bitwise or of integers, logical of bool.
template <typename T>
struct bor {
    static_assert(std::is_integral_v<T>, "bor<T>: T is an integer type or bool");
    using value_type = T;
    value_type identity() const { return T(); }
    void reduce(value_type &left, value_type &&right) const { left = static_cast<T>(left | right); }
};

// Bitwise exclusive or of integers, logical of bool.
template <typename T>
struct bxor {
    static_assert(std::is_integral_v<T>, "bxor<T>: T is an integer type or bool");
    using value_type = T;
    value_type identity() const { return T(); }
    void reduce(value_type &left, value_type &&right) const { left = static_cast<T>(left ^ right); }
};

// A list in serial order. Joining two takes constant time.
template <typename T>
struct list_append {
    using value_type = std::list<T>;
    value_type identity() const { return {}; }
    void reduce(value_type &left, value_type &&right) const { left.splice(left.end(), right); }
};

// A vector in serial order. Joining moves the elements of the later one: linear in their number.
template <typename T>
struct vector_append {
    using value_type = std::vector<T>;
    value_type identity() const { return {}; }
    void reduce(value_type &left, value_type &&right) const {
        if (left.empty())
            left = std::move(right);
        else
            left.insert(left.end(), std::make_move_iterator(right.begin()),
                        std::make_move_iterator(right.end()));
    }
};

// A string in serial order. Joining copies the later one: linear in its length.
struct string_append {
    using value_type = std::string;
    value_type identity() const { return {}; }
    void reduce(value_type &left, value_type &&right) const {
        if (left.empty())
            left = std::move(right);
        else
            left += right;
    }
};

} // namespace saguaro
