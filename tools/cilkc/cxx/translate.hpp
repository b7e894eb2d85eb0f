// SPDX-License-Identifier: MIT
// Cilk in C++: the user's own text, with calls of <saguaro/detail/cilk_cxx.hpp> in the places of
// Cilk's words.
#pragma once

#include "text/diagnostics.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace saguaro::cilkc {

// `text` is what the preprocessor writes, with definitions of macros; `name` is what it is called
// before its first line marker. Empty with something in `problems`. Some tenths of a second for a
// text with the C++ library's headers.
std::string translate_cxx(const std::string &text, std::string_view name, bool serial,
                          std::vector<problem> &problems);

} // namespace saguaro::cilkc
