// SPDX-License-Identifier: MIT
// What loops and algorithms ask of the functions and iterators that they are called with.
#pragma once

#include "saguaro/detail/bounds.hpp"
#include "saguaro/detail/call.hpp"

#include <concepts>
#include <type_traits>
#include <utility>

namespace saguaro::detail {

// What a loop's body receives at a place.
template <class I>
[[gnu::always_inline]] constexpr decltype(auto) element_at(I &place) {
    if constexpr (integer<I>)
        return I{place};
    else
        return *place;
}

// f(i) for an integer, f(*i) for an iterator.
template <class F, class I>
[[gnu::always_inline]] constexpr decltype(auto) call_at(F &f, I i) {
    return call(f, element_at(i));
}

// A number as a T, so that a program that asks for warnings of conversions gets none from here; all
// else as it is.
template <class T, class V>
[[gnu::always_inline]] constexpr decltype(auto) operand(V &&value) {
    if constexpr (std::is_arithmetic_v<T> && std::is_arithmetic_v<std::remove_cvref_t<V>>)
        return static_cast<T>(value);
    else
        return std::forward<V>(value);
}

// What may be a function, as opposed to an iterator or a number: parallel_sort(array, array + 3)
// has two bounds, parallel_sort(array, less) has a range.
template <class F>
concept functor =
    std::is_class_v<std::remove_cvref_t<F>> || std::is_member_pointer_v<std::remove_cvref_t<F>> ||
    std::is_function_v<std::remove_pointer_t<std::remove_cvref_t<F>>>;

template <class I>
constexpr void check_bounds() {
    static_assert(holds<place_to_start<I>>,
                  "saguaro: bounds are integers, or iterators with random access such as a "
                  "vector's; for a list, spawn into a scope");
}

template <class I>
constexpr void check_written() {
    static_assert(holds<!shares_words<I>>,
                  "saguaro: elements of a vector<bool> share words, which workers would write at "
                  "once: take a vector<char>, or a const vector<bool> if it is only read");
}

// The conditions under which the algorithms below compile, and what they say where one is not met.
template <class F, class I>
concept takes_each = place_to_start<I> && std::is_invocable_v<F &, passed<I>>;

template <class I, class Body>
concept loops = takes_each<Body, I> && !shares_words<I>;

template <class F, class I>
concept takes_blocks = place_to_start<I> && std::is_invocable_v<F &, I, I>;

template <class I, class Body>
concept loops_over_blocks = takes_blocks<Body, I> && !shares_words<I>;

template <class I, class Body>
constexpr void check_loop() {
    check_bounds<I>();
    if constexpr (place_to_start<I>) {
        check_written<I>();
        static_assert(holds<takes_each<Body, I>>,
                      "saguaro: the body cannot be called with an index, or "
                      "with what the iterators point at");
    }
}

template <class F, class I>
constexpr void check_blocks() {
    check_bounds<I>();
    if constexpr (place_to_start<I>)
        static_assert(holds<takes_blocks<F, I>>,
                      "saguaro: the body cannot be called with the two bounds of a block");
}

// Whether what f returns for an element of each of the `In` can be written to an Out.
template <class F, class Out, class... In>
concept transforms =
    (place_to_start<In> && ...) && std::is_invocable_v<F &, passed<In>...> &&
    std::is_assignable_v<reference_of<Out>, std::invoke_result_t<F &, passed<In>...>>;

template <class F, class Out, class... In>
constexpr void check_transform() {
    (check_bounds<In>(), ...);
    check_written<Out>();
    if constexpr ((place_to_start<In> && ...))
        static_assert(holds<transforms<F, Out, In...>>,
                      "saguaro: the function cannot be called with the elements, or what it "
                      "returns cannot be written");
}

// Whether `Op` takes two values and what it returns can become one.
template <class Op, class T>
concept combines = std::is_invocable_r_v<T, Op &, T, T>;

template <class Op, class T>
constexpr void check_combines() {
    static_assert(
        holds<combines<Op, T>>,
        "saguaro: the operation must take two values of the result's type and return one");
}

} // namespace saguaro::detail
