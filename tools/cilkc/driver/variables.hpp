// SPDX-License-Identifier: MIT
// The variables of the environment that cilkc and cilkc++ read.
#pragma once

#include "platform/settings.hpp"

namespace saguaro::driver::variables {

inline constexpr platform::setting compiler{
    .name = "CC",
    .fallback = "cc, gcc or clang",
    .accepted = "a C compiler and its options",
    .meaning = "the compiler that cilkc runs, unless --cc names one",
    .needs_own_rights = true};
inline constexpr platform::setting cxx_compiler{
    .name = "CXX",
    .fallback = "c++, g++ or clang++",
    .accepted = "a C++ compiler and its options",
    .meaning = "the compiler that cilkc++ runs, unless --cc names one",
    .needs_own_rights = true};
inline constexpr platform::setting folder{.name = "TMPDIR",
                                          .fallback = "/tmp",
                                          .accepted = "FOLDER",
                                          .meaning = "where cilkc makes its temporary files",
                                          .needs_own_rights = true};
// The launcher's row says what it means.
inline constexpr platform::setting path{.name = "PATH", .needs_own_rights = true};

inline constexpr const platform::setting *all[] = {&compiler, &cxx_compiler, &folder};

} // namespace saguaro::driver::variables
