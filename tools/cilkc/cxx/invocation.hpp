// SPDX-License-Identifier: MIT
// How spawns are written: by a frame, or as an invocation, "spawn; straight-line statements;
// cilk_sync;" without a frame.
#pragma once

#include "cxx/spawn.hpp"

#include <map>
#include <set>
#include <string>

namespace clang {
class CompoundStmt;
class Stmt;
} // namespace clang

namespace saguaro::cilkc {

class variable_uses;
class workspace;

// The invocations of a text, found block by block. They are written so:
//
//     int x = cilk_spawn f(n);    int x; int y; invoke(x, y, [&, n](auto go, auto &result) {...},
//     int y = g(n);                   [&, n]() -> int { return g(n);
//     cilk_sync;                      });
class invocations {
public:
    // Children are waited for at the end of the statement, which is an activation's.
    void note_waiting_end(const clang::Stmt *s) { waiting_ends_.insert(s); }

    // Those of a block. Edits the declarations and the last statement of each, and the end of the
    // block.
    void find(workspace &space, const variable_uses &uses, const clang::CompoundStmt &block,
              int depth);

    // How the spawn that is the statement is written; null: by a frame.
    const spawn_manner *spawn(const clang::Stmt &s) const;

    // The text in place of the cilk_sync at the offset, if it ends invocations.
    std::string end_at(unsigned sync) const;

private:
    // Blocks.
    std::set<const clang::Stmt *> waiting_ends_;
    std::map<const clang::Stmt *, spawn_manner> spawns_;
    std::map<unsigned, int> ends_; // by the offsets of syncs, and how many each ends
};

// How a spawn by this frame is written; `spawn` is the statement.
spawn_manner spawn_by_frame(const workspace &space, const variable_uses &uses,
                            const std::string &frame, const clang::Stmt &spawn);

} // namespace saguaro::cilkc
