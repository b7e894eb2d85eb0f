// SPDX-License-Identifier: MIT
// The common shape "spawn; straight-line statements; cilk_sync;", which costs less than a spawn:
// its statements become a closure that a thief may take.
#pragma once

#include <map>
#include <vector>

namespace clang {
class CompoundStmt;
class DeclStmt;
class Expr;
class Stmt;
class VarDecl;
} // namespace clang

namespace saguaro::cilkc {

class variable_uses;
class workspace;

// One such piece of a block.
struct straight_piece {
    const clang::Stmt *spawn;
    std::vector<const clang::DeclStmt *>
        declarations; // between the two: they move before the spawn
    const clang::Stmt *sync;
    // The variable that gets the child's result when both have ended; null: the child assigns it,
    // or there is none.
    const clang::VarDecl *of_child;
    // The same for the value of the last statement before the sync, `T y = value;` or `y = value;`.
    const clang::VarDecl *of_rest;
    const clang::Stmt *last;
    const clang::Expr *last_value;
};

// The pieces of a block, by their spawns.
std::map<const clang::Stmt *, straight_piece> straight_pieces(const workspace &space,
                                                              const variable_uses &uses,
                                                              const clang::CompoundStmt &block);

} // namespace saguaro::cilkc
