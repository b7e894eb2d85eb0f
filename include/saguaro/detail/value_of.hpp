// SPDX-License-Identifier: MIT
// Results as values, where void is std::monostate.
#pragma once

#include <type_traits>
#include <utility>
#include <variant>

namespace saguaro::detail {

// void as a value.
template <class T>
using value_of = std::conditional_t<std::is_void_v<T>, std::monostate, std::decay_t<T>>;

template <class F>
auto call_for_value(F &&f) -> value_of<std::invoke_result_t<F>> {
    if constexpr (std::is_void_v<std::invoke_result_t<F>>) {
        std::forward<F>(f)();
        return {};
    } else {
        return std::forward<F>(f)();
    }
}

} // namespace saguaro::detail
