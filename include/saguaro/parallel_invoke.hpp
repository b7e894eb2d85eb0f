// SPDX-License-Identifier: MIT
// Calling several functions that may run in parallel, with their results.
#pragma once

#include "saguaro/detail/cxx20.hpp"

#include "saguaro/detail/race_names.h"
#if SG_RACE
#include "saguaro/detail/race_calls.hpp"
#else
#include "saguaro/detail/invoke.hpp"
#endif

#include <type_traits>
#include <utility>

namespace saguaro {

// Calls all functions, in parallel if other workers are free, and returns when all have ended.
// Returns a tuple of their results, with std::monostate for void, or nothing if all are void.
// Results may be move-only; the result of a function that returns an lvalue reference is one, too.
//
// The first function runs at once, on this worker. The worker then calls those that nobody has
// taken meanwhile, in order. If several functions throw, the exception of the earliest one leaves.
// Functions after one that threw may or may not have run, but none runs any more. A thread outside
// of any worker enters one, as by `run`.
template <class... F>
auto parallel_invoke(F &&...f) {
    constexpr bool fits = sizeof...(F) > 0 && (std::is_invocable_v<F> && ...);
    static_assert(fits,
                  "saguaro: parallel_invoke takes functions that are called without arguments");
    if constexpr (!fits)
        return;
    else if constexpr ((std::is_void_v<std::invoke_result_t<F>> && ...))
        detail::invoke_all(std::forward<F>(f)...);
    else
        return detail::invoke_all(std::forward<F>(f)...);
}

} // namespace saguaro
