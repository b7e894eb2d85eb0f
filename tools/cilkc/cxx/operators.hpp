// SPDX-License-Identifier: MIT
// Spawned calls of functions that are written as operators: `a + b`, `++a`, `a[i]`, `a = b`.
#pragma once

namespace clang {
class Expr;
} // namespace clang

namespace saguaro::cilkc {

class workspace;
struct spawned_call;

// Whether the expression may be such a call: also one that depends on a template's parameters.
bool is_operation(const clang::Expr &e);

// Takes it apart. False, with a problem: it cannot be spawned.
bool take_operation_apart(workspace &space, const clang::Expr &e, spawned_call &into);

} // namespace saguaro::cilkc
