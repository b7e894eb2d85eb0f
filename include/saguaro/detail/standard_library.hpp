// SPDX-License-Identifier: MIT
// What keeps a program and a library that were made with two C++ standard libraries apart.
//
// C++14 without any header of the standard library, because cilk_cxx.hpp includes it. In libc++
// <stddef.h> defines the macro that names libc++.
#pragma once

#include <stddef.h>

// Exceptions cross the border between a program and the library as std::exception_ptr, which the
// two standard libraries have in different ways: a thief's exception would be lost. Functions in
// this namespace, one of which each construct needs, have other names with libc++. A program that
// links the wrong library is told so by the linker.
#if defined(_LIBCPP_VERSION)
#define SG_STANDARD_LIBRARY link_a_libsaguaro_that_was_built_with_libcxx
#define SG_BEGIN_STANDARD_LIBRARY inline namespace SG_STANDARD_LIBRARY {
#define SG_END_STANDARD_LIBRARY }
#else
#define SG_BEGIN_STANDARD_LIBRARY
#define SG_END_STANDARD_LIBRARY
#endif
