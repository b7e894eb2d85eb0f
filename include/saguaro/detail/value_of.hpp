// SPDX-License-Identifier: MIT
// Results as values, where void is std::monostate.
#pragma once

#include "saguaro/detail/cxx20.hpp"

#include <memory>
#include <type_traits>
#include <utility>
#include <variant>

namespace saguaro::detail {

// A reference as a value.
template <class T>
class reference {
public:
    explicit reference(T &object) : object_(std::addressof(object)) {}
    operator T &() const { return *object_; }

private:
    T *object_;
};

// What a function returns, as something that can be kept: void as a std::monostate, references
// copied.
template <class T>
struct copied {
    static_assert(std::is_move_constructible_v<std::decay_t<T>>,
                  "saguaro: a result must be movable");
    using type = std::decay_t<T>;
};
template <class T>
    requires std::is_void_v<T>
struct copied<T> {
    using type = std::monostate;
};
template <class T>
using copy_of = typename copied<T>::type;

// The same with lvalue references as such.
template <class T>
struct kept : copied<T> {};
template <class T>
struct kept<T &> {
    using type = reference<T>;
};
template <class T>
using value_of = typename kept<T>::type;

// What a program receives of that.
template <class T>
struct returned : copied<T> {};
template <class T>
struct returned<T &> {
    using type = T &;
};
template <class T>
using returned_value = typename returned<T>::type;

template <class Value, class F>
Value call_for(F &&f) {
    if constexpr (std::is_void_v<std::invoke_result_t<F>>) {
        std::forward<F>(f)();
        return {};
    } else {
        return Value(std::forward<F>(f)());
    }
}

template <class F>
auto call_for_value(F &&f) -> value_of<std::invoke_result_t<F>> {
    return call_for<value_of<std::invoke_result_t<F>>>(std::forward<F>(f));
}

} // namespace saguaro::detail
