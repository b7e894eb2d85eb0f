// SPDX-License-Identifier: MIT
// The argument of all rules: the text, the function and the list of problems.
#pragma once

#include "parse/source_text.hpp"
#include "text/diagnostics.hpp"
#include "tokens/token_pass.hpp"

#include <clang/Basic/SourceLocation.h>

#include <string>
#include <utility>
#include <vector>

namespace clang {
class FunctionDecl;
} // namespace clang

namespace saguaro::cilkc {

// What the rules of one function need.
struct rule_context {
    const source_text &source;
    const clang::FunctionDecl &function;
    dialect language;
    std::vector<problem> &problems;

    void error(clang::SourceLocation where, std::string text) {
        problems.push_back(problem_at(source, where, std::move(text)));
    }
};

} // namespace saguaro::cilkc
