// SPDX-License-Identifier: MIT
// Variables that a child must not refer to, because they change or end while it runs.
#pragma once

namespace clang {
class Expr;
class Stmt;
} // namespace clang

namespace saguaro::cilkc {

// Whether the expression is a variable that the function assigns or counts, or one of a loop or
// another block in it: that one may end, and another take its memory. `body`: the function's; may
// be null.
bool changes_meanwhile(const clang::Stmt *body, const clang::Expr &e);

} // namespace saguaro::cilkc
