// SPDX-License-Identifier: MIT
// Handlers that a program without exceptions can compile as well.
#pragma once

#include "saguaro/detail/cxx20.hpp"

#include <cstdio>
#include <cstdlib>
#include <type_traits>
#include <utility>

// SG_TRY { ... } SG_CATCH_ALL { ...; SG_RETHROW; }
//
// With -fno-exceptions the handler is compiled and never run: what a program compiled so calls must
// not throw.
#if defined(__cpp_exceptions)
#define SG_TRY try
#define SG_CATCH_ALL catch (...)
#define SG_RETHROW throw
#else
#define SG_TRY if constexpr (true)
#define SG_CATCH_ALL else
#define SG_RETHROW static_cast<void>(0)
#endif

namespace saguaro::detail {

// Throws an Error made of the arguments. Without exceptions: ends the program with a line.
template <class Error, class... A>
[[noreturn, gnu::noinline, gnu::cold]] void throw_error(A &&...arguments) {
    Error error(std::forward<A>(arguments)...);
#if defined(__cpp_exceptions)
    throw error;
#else
    std::fprintf(stderr, "saguaro: %s, in a program without exceptions\n", error.what());
    std::abort();
#endif
}

} // namespace saguaro::detail
