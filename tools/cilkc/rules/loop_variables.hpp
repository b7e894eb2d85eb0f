// SPDX-License-Identifier: MIT
// The rule about loop variables declared outside of their loop.
#pragma once

namespace clang {
class ForStmt;
class FunctionDecl;
class VarDecl;
} // namespace clang

namespace saguaro::cilkc {

// Whether the loop, which begins by assigning a variable that is declared outside of it, may have a
// variable of its own in that one's place. It may if nobody can see what the loop leaves in the
// variable: wherever else the function names it, that is in a `for` that assigns it first. Its
// address is not taken.
bool may_own_variable(const clang::FunctionDecl &function, const clang::ForStmt &loop,
                      const clang::VarDecl &variable);

} // namespace saguaro::cilkc
