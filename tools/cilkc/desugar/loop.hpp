// SPDX-License-Identifier: MIT
// Rewriting cilk_for, and checking its header.
#pragma once

#include "desugar/rewriting.hpp"

namespace clang {
class FunctionDecl;
class Stmt;
} // namespace clang

namespace saguaro::cilkc {

// Puts a call of sg_for in the place of a cilk_for.
void rewrite_loop(rewriting &work, const clang::FunctionDecl &function, const clang::Stmt &loop,
                  around_function &around);

// Says which rule the loop's header breaks, if it does.
void check_loop(rewriting &work, const clang::Stmt &loop);

} // namespace saguaro::cilkc
