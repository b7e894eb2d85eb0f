// SPDX-License-Identifier: MIT
// The header of a cilk_for in C++: integers of any width, pointers, iterators, and what depends on
// a template's parameters.
#pragma once

#include "parse/source_text.hpp"

#include <optional>
#include <string>

namespace clang {
class ForStmt;
} // namespace clang

namespace saguaro::cilkc {

class workspace;

struct cxx_loop_header {
    std::string type;     // of the variable
    std::string variable; // its declaration as a parameter
    bool is_deduced;      // the type is `auto`
    std::string name;
    span first;             // the initial value, or what stands in its brackets
    char first_bracket = 0; // `{` or `(`, if these make the value; 0: it is an expression
    std::string until;      // less, less_equal, greater, greater_equal, unequal
    span limit;
    std::optional<span> step; // nothing: 1
    bool down;
};

// The header, or nothing and the rule that it breaks among the problems.
std::optional<cxx_loop_header> read_cxx_header(workspace &space, const clang::ForStmt &loop);

} // namespace saguaro::cilkc
