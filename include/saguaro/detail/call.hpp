// SPDX-License-Identifier: MIT
// Calling what a program passed to an algorithm: a function, a closure or a pointer to a member.
#pragma once

#include "saguaro/detail/cxx20.hpp"

#include <type_traits>
#include <utility>

namespace saguaro::detail {

template <class Member, class Class>
Class class_of(Member Class::*);

// The object that a pointer to a member of `Class` is applied to: `object` itself, or what a
// pointer or a std::reference_wrapper refers to.
template <class Class, class T>
constexpr decltype(auto) object_of(T &&object) {
    if constexpr (std::is_base_of_v<Class, std::remove_cvref_t<T>>)
        return std::forward<T>(object);
    else if constexpr (requires { *std::forward<T>(object); })
        return *std::forward<T>(object);
    else
        return object.get();
}

// std::invoke, without the time that <functional> takes to compile.
template <class F, class... A>
[[gnu::always_inline]] constexpr decltype(auto) call(F &f, A &&...arguments) {
    if constexpr (std::is_member_pointer_v<F>) {
        const auto apply = [&](auto &&object, auto &&...rest) -> decltype(auto) {
            using owner = decltype(class_of(f));
            if constexpr (std::is_member_function_pointer_v<F>)
                return (object_of<owner>(std::forward<decltype(object)>(object)).*
                        f)(std::forward<decltype(rest)>(rest)...);
            else
                return (object_of<owner>(std::forward<decltype(object)>(object)).*f);
        };
        return apply(std::forward<A>(arguments)...);
    } else {
        return f(std::forward<A>(arguments)...);
    }
}

} // namespace saguaro::detail
