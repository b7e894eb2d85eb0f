// SPDX-License-Identifier: MIT
// The variables that an outlined statement takes from the function around it.
#pragma once

#include "desugar/rewriting.hpp"

#include <string>
#include <vector>

namespace clang {
class FunctionDecl;
class Stmt;
class VarDecl;
} // namespace clang

namespace saguaro::cilkc {

// What a function made of a statement takes from the function around it: members of a struct, or
// parameters.
struct taken {
    std::string type_and_name; // "int *_cilk_to_x"
    std::string name;          // "_cilk_to_x"
    std::string value;         // "&x"
};

struct captures {
    std::vector<taken> members;
    std::string prologue; // declarations that must follow those of the members

    std::string parameters() const;                       // declarations with commas between
    std::string arguments(const std::string &from) const; // names behind `from`, with commas
    std::string values() const;
};

// Finds what `body`, a part of `function`, uses of the variables around it, and puts the uses of
// those that are reached by their addresses in the text's edits: x becomes (*_cilk_to_x). A
// variable that the body only reads, and whose address nobody has, is taken by value and keeps its
// name. `own` counts as the body's.
captures take_captures(rewriting &work, const clang::FunctionDecl &function,
                       const clang::Stmt &body, const clang::VarDecl *own);

} // namespace saguaro::cilkc
