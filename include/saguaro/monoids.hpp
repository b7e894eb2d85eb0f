// SPDX-License-Identifier: MIT
// Ready-made monoids for reducer<Monoid>.
//
// `*r` is the value type named with each: `*total += x`, `*names += name`, `r->push_back(x)`.
// Arithmetic types wrap, round or overflow as their operators do; a floating-point sum is joined in
// an order that depends on the steals, so that its last bits may differ from run to run.
#pragma once

#include <iterator>
#include <limits>
#include <list>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace saguaro {

// Sum; a view is a T. T() is zero and += adds.
template <typename T>
struct add {
    using value_type = T;
    value_type identity() const { return T(); }
    void reduce(value_type &left, value_type &&right) const { left += std::move(right); }
};

// What `min` and `max` have in common: the better of two, the serially first one of equals.
//
// A view is a T if std::numeric_limits knows T: the identity is then the worst value of T
// (infinity where T has one; a NaN never replaces a view). Of any other T with operator < a view
// is a std::optional<T>, and the identity is the empty one.
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
        if constexpr (has_limits) {
            update(left, std::move(right));
        } else if (right) {
            update(left, *std::move(right));
        }
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
