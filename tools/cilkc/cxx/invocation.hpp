// SPDX-License-Identifier: MIT
// The text of an invocation: "spawn; straight-line statements; cilk_sync;" without a frame.
#pragma once

#include "cxx/spawn.hpp"

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

} // namespace saguaro::cilkc
