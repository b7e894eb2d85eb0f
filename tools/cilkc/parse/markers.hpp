// SPDX-License-Identifier: MIT
// The markers of core Cilk C (../README.md), in the text and in Clang's tree.
#pragma once

#include "parse/source_text.hpp"

#include <string>

namespace clang {
class Decl;
class Expr;
class FunctionDecl;
class Stmt;
} // namespace clang

namespace llvm {
class StringRef;
} // namespace llvm

namespace saguaro::cilkc {

// Whether it has the annotation that a marker stands for.
bool has_annotation(const clang::Decl &declaration, llvm::StringRef text);

// Whether the function is declared `cilk` anywhere.
bool is_procedure(const clang::FunctionDecl &function);

// The marker that the statement begins with, "_Cilk_spawn" or another, or the empty string.
std::string marker_of(const source_text &source, const clang::Stmt &statement);

// The marker that it is the expansion of, or the empty string.
std::string marker_at(const source_text &source, const clang::Stmt &statement);

// What a statement is whose value nobody uses: `(void)(f(x));` is `f(x);`.
const clang::Expr *unused_value(const source_text &source, const clang::Expr *e);

// Which construct an annotated statement is: "cilk for", "cilk scope", "cilk spawn block"; else "".
std::string annotation_of(const clang::Stmt &statement);

// The statement under the annotation.
const clang::Stmt &annotated(const clang::Stmt &statement);

// The expression behind a marker such as `_Cilk_grain(N)`.
const clang::Expr *operand_of_marker(const clang::Expr *e);

// Whether the statement spawns or syncs itself, not in a cilk_for of its own.
bool has_spawns(const source_text &source, const clang::Stmt &statement);

// The text with markers as what they are in serial C, each as long as it was.
std::string without_markers(std::string text);

} // namespace saguaro::cilkc
