// SPDX-License-Identifier: MIT
// What a statement or an expression is, and where it ends in the text.
#pragma once

#include "cxx/workspace.hpp"

#include <utility>

namespace saguaro::cilkc {

// The operands of `a = b`; null: it is another expression.
std::pair<const clang::Expr *, const clang::Expr *> assignment_in(const clang::Expr &e);

// A right side that is spawned, and where its `cilk_spawn` stands. Null: it is another expression.
struct spawned_value {
    const clang::Expr *call = nullptr;
    unsigned marker = 0;
    bool is_operation = false; // `cilk_spawn a + b`
};
spawned_value spawned_in(const workspace &space, const clang::Expr &e);

// Whether it may be a call of a function that is written as an operator, but for an assignment.
bool is_operator_call(const clang::Expr &e);

// The end of a statement with its semicolon.
unsigned end_of_statement(const workspace &space, const clang::Stmt &s);

} // namespace saguaro::cilkc
