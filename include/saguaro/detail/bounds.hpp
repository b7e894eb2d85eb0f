// SPDX-License-Identifier: MIT
// What loops and algorithms go over: integers, iterators and ranges, with bounds of two types.
#pragma once

#include "saguaro/detail/cxx20.hpp"

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <type_traits>
#include <utility>

namespace saguaro::detail {

__extension__ typedef __int128 signed_128;
__extension__ typedef unsigned __int128 unsigned_128;

// Also the integers of 128 bits, which are some to the standard library of -std=gnu++20, and none
// to that of -std=c++20.
template <class I>
concept integer = std::integral<I> || std::same_as<I, signed_128> || std::same_as<I, unsigned_128>;

// What holds the distance of any two values of I, and wraps around as they do.
template <integer I>
using as_unsigned = std::conditional_t<(sizeof(I) > 8), unsigned_128, std::uint64_t>;

template <integer I>
inline constexpr bool has_sign = static_cast<I>(-1) < static_cast<I>(1);

// A condition of a static_assert, of which the compiler does not show every part.
template <bool condition>
inline constexpr bool holds = condition;

// What can be reached in one step, by what an iterator can do, whatever category it claims: those
// of C++17 that return values instead of references, such as boost::counting_iterator, are no
// random access iterators to the standard library.
template <class I>
concept random_access =
    std::random_access_iterator<I> ||
    (std::is_object_v<I> && std::copy_constructible<I> &&
     requires(I i, const I c, decltype(std::declval<const I &>() - std::declval<const I &>()) n) {
         *i;
         ++i;
         { c + n } -> std::convertible_to<I>;
         { c < c } -> std::convertible_to<bool>;
         { c != c } -> std::convertible_to<bool>;
         static_cast<std::uint64_t>(n);
     });

template <class I>
using difference_of = decltype(std::declval<const I &>() - std::declval<const I &>());

// What *i is.
template <class I>
using reference_of = decltype(*std::declval<I &>());

template <class I>
struct value_at_place {
    using type = std::remove_cvref_t<reference_of<I>>;
};
template <class I>
    requires requires { typename std::iter_value_t<I>; }
struct value_at_place<I> {
    using type = std::iter_value_t<I>;
};

// The type of an element. Of an iterator that does not say, what a copy of *i is.
template <class I>
using element_of = typename value_at_place<I>::type;

// Whether *i is a proxy of vector<bool>: its neighbours are bits of the same word, which two
// workers cannot write at once.
template <class I>
concept shares_words =
    !std::is_reference_v<reference_of<I>> && requires(reference_of<I> bit) { bit.flip(); };

// Anything with a begin and an end.
template <class R>
concept any_range = requires(R &range) {
    range.begin();
    range.end();
} || requires(R &range) {
    std::ranges::begin(range);
    std::ranges::end(range);
};

// Whether the places of a T are places of an I as well: a T converts to an I and, if it is a
// pointer, points to elements of the same size.
template <class T, class I>
concept same_places =
    std::convertible_to<const T &, I> &&
    requires(T place) {
        *place;
        ++place;
    } &&
    (!std::is_pointer_v<T> || !std::is_pointer_v<I> ||
     std::is_convertible_v<std::remove_pointer_t<T> (*)[], std::remove_pointer_t<I> (*)[]>);

// Whether a value of type T may be none of I's, for want of a sign.
template <class T, class I>
concept loses_sign = integer<T> && integer<I> && has_sign<T> && !has_sign<I>;

// Where neither type has values beyond those of the other but for the sign, a bound that loses its
// sign has to be a constant. Of two narrower types than int, int is the common type, and has all.
template <class T, class I>
concept needs_constant =
    loses_sign<T, I> && sizeof(T) >= sizeof(I) && loses_sign<T, std::common_type_t<T, I>>;

// Throws std::invalid_argument: a bound is negative where the other one has no sign.
[[noreturn]] void refuse_negative_bound();

// `bound` as an I. If I has no sign, it must not be negative.
template <class I, class T>
constexpr I bound_as(const T &bound) {
    if constexpr (loses_sign<T, I>)
        if (bound < 0) [[unlikely]]
            refuse_negative_bound();
    return static_cast<I>(bound);
}

// What a compiler names in its error for parallel_for(-3, 3u, body).
void refused_mix_of_signs_a_bound_is_negative_and_the_other_one_unsigned();

// The first bound of a loop whose last one is an I: an I, or a constant of at least 0 where an I
// has no sign. parallel_for(0, 3u, body) is what it says; parallel_for(-3, 3u, body) would run from
// 4294967293.
template <class I>
class same_type_or_constant {
public:
    template <std::same_as<I> T>
        requires(!any_range<T>)
    constexpr same_type_or_constant(const T &bound) : value(bound) {}

    template <class T, std::size_t n>
        requires std::same_as<T *, I>
    constexpr same_type_or_constant(T (&array)[n]) : value(array) {}

    template <needs_constant<I> T>
    consteval same_type_or_constant(T bound) : value(static_cast<I>(bound)) {
        if (bound < 0)
            refused_mix_of_signs_a_bound_is_negative_and_the_other_one_unsigned();
    }

    I value;
};

template <class I>
using bound = std::type_identity_t<same_type_or_constant<I>>;

// The bounds of a loop that are of two types, and of none of the cases above: two numbers, or an
// iterator and a const_iterator.
template <class I, class J>
concept two_bounds = !std::same_as<I, J> && !needs_constant<I, J> &&
                     ((std::is_arithmetic_v<I> && std::is_arithmetic_v<J>) ||
                      (integer<I> && integer<J>) || same_places<I, J> || same_places<J, I>);

// The type that such a loop counts in.
template <class I, class J>
using index_of = std::common_type_t<I, J>;

template <class I>
struct bounds_of_one_type {
    I first;
    I last;
};

template <class I, class J>
constexpr bounds_of_one_type<index_of<I, J>> common_bounds(const I &first, const J &last) {
    static_assert(
        holds<!needs_constant<J, I>>,
        "saguaro: a mix of signs: the first bound is unsigned, the last one is signed and "
        "as wide; convert one of them");
    using index = index_of<I, J>;
    return {bound_as<index>(first), bound_as<index>(last)};
}

// As needs_constant for a range_2d, whose type may be no common one, because a program names it.
template <class T, class I>
concept constant_side = loses_sign<T, I> && sizeof(T) >= sizeof(I);

// A side of a range_2d over integers of type I.
template <integer I>
class side_of {
public:
    template <integer T>
        requires(!constant_side<T, I>)
    constexpr side_of(T number) : value(bound_as<I>(number)) {}

    template <constant_side<I> T>
    consteval side_of(T number) : value(static_cast<I>(number)) {
        if (number < 0)
            refused_mix_of_signs_a_bound_is_negative_and_the_other_one_unsigned();
    }

    I value;
};

template <integer I>
using side = std::type_identity_t<side_of<I>>;

template <class I>
concept place_to_start = integer<I> || random_access<I>;

// What a loop's body receives: the integer, or what the iterator points at.
template <class I>
struct passed_by {
    using type = I;
};
template <class I>
    requires(!integer<I>)
struct passed_by<I> {
    using type = reference_of<I>;
};
template <class I>
using passed = typename passed_by<I>::type;

template <class R>
constexpr auto begin_of(R &range) {
    if constexpr (requires { range.begin(); })
        return range.begin();
    else
        return std::ranges::begin(range);
}

template <class R>
using iterator_of = decltype(begin_of(std::declval<std::remove_reference_t<R> &>()));

// The iterator that `first` reaches at the end of the range.
template <class R, class I>
constexpr I end_of(R &range, const I &first) {
    const auto end = [&] {
        if constexpr (requires { range.end(); })
            return range.end();
        else
            return std::ranges::end(range);
    }();
    constexpr bool is_iterator = std::same_as<std::remove_const_t<decltype(end)>, I>;
    constexpr bool is_sized = requires { first + (end - first); };
    static_assert(is_iterator || is_sized, "saguaro: a range needs an end, at a known distance");
    if constexpr (is_iterator)
        return end;
    else if constexpr (is_sized)
        return first + static_cast<difference_of<I>>(end - first);
    else
        return first;
}

} // namespace saguaro::detail
