// SPDX-License-Identifier: MIT
// Rewriting spawned blocks and cilk_scope.
#pragma once

#include "desugar/rewriting.hpp"

namespace clang {
class FunctionDecl;
class Stmt;
} // namespace clang

namespace saguaro::cilkc {

// Puts a spawn of a function in the place of a spawned block.
void rewrite_block(rewriting &work, const clang::FunctionDecl &function, const clang::Stmt &block,
                   around_function &around);

// Puts a block with its syncs in the place of a cilk_scope.
void rewrite_scope(rewriting &work, const clang::Stmt &scope);

} // namespace saguaro::cilkc
