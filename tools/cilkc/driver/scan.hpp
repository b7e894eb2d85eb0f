// SPDX-License-Identifier: MIT
// Whether preprocessed text has Cilk in it. Plain C does not go through the translator.
#pragma once

#include <string_view>

namespace saguaro::driver {

// Looks for the keywords of OpenCilk's dialect (_Cilk_spawn and its relatives, which the names in
// <cilk/cilk.h> stand for) outside of strings, and for those names themselves: what is left of them
// has missed the header, and cilk2c says so. Text that begins with a line marker for a .cilk file
// is Cilk whatever is in it. Linear time.
//
// Text from system headers counts as well: what a macro of theirs, as cilk_spawn, stands for is
// marked as theirs, and the words are reserved for compilers.
[[nodiscard]] bool has_cilk(std::string_view preprocessed);

// Whether clang has written the text, with the definitions of its macros or with the header of
// cilkc++.
[[nodiscard]] bool is_by_clang(std::string_view preprocessed);

} // namespace saguaro::driver
