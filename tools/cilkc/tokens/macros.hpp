// SPDX-License-Identifier: MIT
// Macros in preprocessed text: pragmas are the one place where compilers leave them unreplaced.
#pragma once

#include <string>
#include <string_view>

namespace saguaro::cilkc {

// Replaces the macros in the expressions of `#pragma cilk grainsize` as OpenCilk's compiler does,
// by the definitions that stand before each in what `cc -E -dD` writes, and takes the definitions
// out of the text. Lines stay lines.
std::string resolve_macros(std::string_view text);

} // namespace saguaro::cilkc
