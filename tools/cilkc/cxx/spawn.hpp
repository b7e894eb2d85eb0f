// SPDX-License-Identifier: MIT
// The text of a spawn: a statement, an assignment of its result, or a variable's initialisation.
#pragma once

#include "parse/source_text.hpp"

#include <string>
#include <string_view>

namespace clang {
class Expr;
class VarDecl;
} // namespace clang

namespace saguaro::cilkc {

class workspace;

// How a spawn is written: as one of an activation's frame, or as an invocation whose second half
// are the statements after it.
struct spawn_manner {
    std::string frame; // empty: an invocation
    // What the child's closure captures. Of an invocation also: what stands before it, its first
    // arguments, and the beginning of the second closure.
    std::string declarations, targets, captures, rest;
    // The name by which the child assigns its result; empty: as the user wrote it.
    std::string result;
    bool is_declared = false; // the variable, before
};

// What stands after the parameters of a closure that is written at the offset: that it is inlined.
// A closure under a `#pragma GCC target` cannot be inlined into functions of the header, which
// stands before the pragma.
std::string inlined(const workspace &space, unsigned offset);

// `cilk_spawn e` from `begin` on.
void write_spawn(workspace &space, const spawn_manner &how, unsigned begin, const clang::Expr &e);

// `target = e`, of which one side or the statement is marked as spawned.
void write_assignment(workspace &space, const spawn_manner &how, unsigned begin,
                      const clang::Expr &target, const clang::Expr &e);

// `T x = cilk_spawn e`; `declaration` is the span of the whole statement.
void write_initialization(workspace &space, const spawn_manner &how, span declaration,
                          const clang::VarDecl &variable, const clang::Expr &e);

} // namespace saguaro::cilkc
