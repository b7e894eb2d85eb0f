// SPDX-License-Identifier: MIT
// Reducers, as their declarations say.
#pragma once

#include "parse/source_text.hpp"

#include <clang/AST/Type.h>

#include <optional>
#include <string>

namespace clang {
class AnnotateAttr;
class Decl;
class Expr;
class VarDecl;
} // namespace clang

namespace saguaro::cilkc {

// A variable with cilk_reducer(identity, reduce) in its type.
struct reducer {
    const clang::AnnotateAttr *annotation;
    clang::QualType value; // of its views
    bool is_pointer;       // the variable is a pointer to a reducer
    std::string identity;  // as text
    std::string reduce;
    std::string structure; // "struct _cilk_reducer_1"
    std::string name;
};

// Nothing: it is no reducer.
std::optional<reducer> reducer_of(const source_text &source, const clang::VarDecl &variable);

// The first offset behind `_Cilk_reducer(...)` at `at`.
unsigned end_of_marker(const source_text &source, unsigned at);

// The annotation that a declaration has of itself, not by its type; null if it has none.
const clang::AnnotateAttr *reducer_annotation(const clang::Decl &declaration);

// The identity (0) or the reduction (1) that it names: a function, or what points to one.
const clang::Expr &function_in(const clang::AnnotateAttr &annotation, unsigned which);

} // namespace saguaro::cilkc
