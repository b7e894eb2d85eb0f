// SPDX-License-Identifier: MIT
// The common shape "spawn; straight-line statements; cilk_sync;", which costs less than a spawn:
// its statements become a closure that a thief may take. In place of the cilk_sync may be the end
// of a block at which the children are waited for.
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

// One such piece of a block. Several spawns before one sync are as many pieces, each of which has
// all that follows it:
//
//     int x = cilk_spawn f(1);
//     int y = cilk_spawn f(2);
//     int z = f(3);
//     cilk_sync;
struct straight_piece {
    const clang::Stmt *spawn;
    // Of the outermost piece: the declarations between its spawn and the sync, which move before
    // the spawn. Those of `spawned` are written by their own pieces.
    std::vector<const clang::DeclStmt *> declarations, spawned;
    bool is_inner; // another piece has it, with the declaration of its variable
    unsigned end;  // the offset of the cilk_sync, or of the block's closing brace
    bool has_sync; // it is a cilk_sync
    // The variable that gets the child's result when both have ended; null: the child assigns it,
    // or there is none.
    const clang::VarDecl *of_child;
    // The same for the value of the last statement before the sync, `T y = value;` or `y = value;`.
    const clang::VarDecl *of_rest;
    const clang::Stmt *last; // of an outer piece: that of the innermost one
    const clang::Expr *last_value;
};

// The pieces of a block, by their spawns. `waits`: children are waited for at its end.
std::map<const clang::Stmt *, straight_piece> straight_pieces(const workspace &space,
                                                              const variable_uses &uses,
                                                              const clang::CompoundStmt &block,
                                                              bool waits);

// Whether the statement is a cilk_sync.
bool is_sync(const workspace &space, const clang::Stmt &s);

} // namespace saguaro::cilkc
