// SPDX-License-Identifier: MIT
// How spawns are written: by a frame, or as an invocation, "spawn; straight-line statements;
// cilk_sync;" without a frame.
#pragma once

#include "cxx/spawn.hpp"

#include <string>

namespace clang {
class Stmt;
} // namespace clang

namespace saguaro::cilkc {

class variable_uses;
class workspace;
struct straight_piece;

// How the piece's spawn is written. Edits the declarations and the last statement of the piece.
//
//     int x = cilk_spawn f(n);    int x; int y; invoke(x, y, [&, n](auto go, auto &result) {...},
//     int y = g(n);                   [&, n]() -> int { return g(n);
//     cilk_sync;                      });
spawn_manner invocation_of(workspace &space, const variable_uses &uses,
                           const straight_piece &piece);

// How a spawn by this frame is written; `spawn` is the statement.
spawn_manner spawn_by_frame(const workspace &space, const variable_uses &uses,
                            const std::string &frame, const clang::Stmt &spawn);

} // namespace saguaro::cilkc
