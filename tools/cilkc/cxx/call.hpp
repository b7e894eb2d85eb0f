// SPDX-License-Identifier: MIT
// Takes a call that is to be spawned apart.
#pragma once

#include "cxx/spawned_call.hpp"

namespace clang {
class Expr;
} // namespace clang

namespace saguaro::cilkc {

class workspace;

// Takes the expression apart. False, with a problem: it is no call, or it cannot be spawned.
bool take_apart(workspace &space, const clang::Expr *e, spawned_call &into);

} // namespace saguaro::cilkc
