// SPDX-License-Identifier: MIT
// Restoring the user's columns after the macros of <cilk/cilk.h>, which preprocessors expand to
// text of another length.
#pragma once

#include <string>

namespace saguaro::cilkc {

// Brings what the preprocessor has moved back to the user's columns, as the first step of all: all
// others, and the compiler behind, then find each column in the text.
//
// - gcc puts what a system header's macro stands for on a line of its own, and the rest of the
//   user's line on another, both with one blank too few before them.
// - clang prints `_Cilk_spawn` in the place of cilk_spawn, so that the rest of the line stands one
//   column further to the right. A file that includes <cilk/cilk.h> is taken to write cilk_spawn.
//
// Columns behind the user's own macros stay as the preprocessor has them.
std::string with_users_columns(std::string text);

} // namespace saguaro::cilkc
