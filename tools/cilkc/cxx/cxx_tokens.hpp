// SPDX-License-Identifier: MIT
// The token pass for Cilk in C++: what tokens show, before Clang parses the text.
#pragma once

#include "text/diagnostics.hpp"

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace saguaro::cilkc {

// A word of Cilk's in the text.
struct cilk_word {
    unsigned offset;
    std::string text;
};

// The parentheses of a `_Cilk_reducer(identity, reduce)`.
struct reducer_place {
    unsigned open;
    unsigned close;
};

// Stands before all of the right side; for Clang it is nothing.
constexpr std::string_view value_marker = "_Cilk_value";

struct marked_text {
    // As it was, but for `_Cilk_spawn` where it begins a statement: `_Cilk_Spawn`, which is as long
    // and takes the whole statement, as `cilk_spawn a + b;` needs. In `c = cilk_spawn a + b;` it is
    // the value_marker, and `cilk_reducer` without the header is `_Hyperobject`.
    std::string text;
    std::vector<cilk_word> words;               // in the text's order
    std::map<unsigned, std::string> grains;     // of the `_Cilk_for` at the offset
    std::map<unsigned, reducer_place> reducers; // by their words' offsets
    std::map<unsigned, bool> targets; // from here on: whether a `#pragma GCC target` holds
    std::vector<problem> problems;    // the text is of no use then
};

// `text` is what the preprocessor writes, without definitions of macros.
marked_text mark_cxx(std::string text);

// The serial program of what mark_cxx gives.
std::string serial_cxx(const marked_text &marked);

} // namespace saguaro::cilkc
