// SPDX-License-Identifier: MIT
// Default values of the parameters of spawned calls, which the child evaluates.
#pragma once

#include <cstddef>
#include <vector>

namespace clang {
class FunctionDecl;
class ParmVarDecl;
class Stmt;
} // namespace clang

namespace saguaro::cilkc {

// Whether it may matter when the default value of a parameter is found: it calls a function, makes
// an object, or reads or changes a variable. Null: it does not.
bool depends_on_time(const clang::Stmt *s);

// The first parameter that a call with `count` arguments leaves to such a default value, in one of
// the functions that it may mean; null: there is none.
const clang::ParmVarDecl *timed_default(const std::vector<const clang::FunctionDecl *> &functions,
                                        std::size_t count);

} // namespace saguaro::cilkc
