// SPDX-License-Identifier: MIT
// The first step of the translation: a preprocessed file of either dialect becomes core Cilk C
// (../README.md), by its tokens alone.
#pragma once

#include "text/diagnostics.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace saguaro::cilkc {

enum class dialect {
    mit,  // MIT Cilk 5.4: `cilk`, `spawn`, `sync`, `inlet`, ...
    cilk, // OpenCilk and Cilk Plus: `_Cilk_spawn`, `_Cilk_sync`, `_Cilk_for`, ...
};

struct core_text {
    std::string text;
    std::vector<problem> problems; // of the rules that tokens show; the text is of no use then
};

// `text` is what `cc -E` writes. Line markers bring what follows each edit back to its place.
core_text to_core(std::string_view text, dialect language);

} // namespace saguaro::cilkc
