// SPDX-License-Identifier: MIT
// What a statement or an expression is, and where it ends in the text.
#pragma once

#include "cxx/workspace.hpp"

#include <utility>

namespace saguaro::cilkc {

// The operands of `a = b`; null: it is another expression.
std::pair<const clang::Expr *, const clang::Expr *> assignment_in(const clang::Expr &e);

// The operand of `cilk_spawn` in an expression; null: it is another expression.
const clang::Expr *spawned_in(const workspace &space, const clang::Expr &e);

// The end of a statement with its semicolon.
unsigned end_of_statement(const workspace &space, const clang::Stmt &s);

} // namespace saguaro::cilkc
