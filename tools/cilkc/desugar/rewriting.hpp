// SPDX-License-Identifier: MIT
// The state that the steps of front_end (desugar.hpp) share.
#pragma once

#include "desugar/program.hpp"
#include "parse/debug_names.hpp"
#include "parse/nested_edits.hpp"
#include "parse/source_text.hpp"
#include "text/diagnostics.hpp"

#include <string>
#include <vector>

namespace clang {
class Stmt;
} // namespace clang

namespace saguaro::cilkc {

// One round of rewriting one text.
struct rewriting {
    const source_text &source;
    nested_edits edits;
    unsigned &numbers; // used up by generated names
    program kind;
    debug_names &names;
    std::vector<problem> &problems;

    unsigned next_number() { return ++numbers; }
    std::string text_of(const clang::Stmt &s) const;
};

// What constructs of a function need at file scope, around it.
struct around_function {
    std::string before;
    std::string behind;
};

} // namespace saguaro::cilkc
