// SPDX-License-Identifier: MIT
// Takes a call that is to be spawned apart.
#pragma once

#include "cxx/spawned_call.hpp"

namespace clang {
class Expr;
class QualType;
} // namespace clang

namespace saguaro::cilkc {

class workspace;

// Takes the expression apart. False, with a problem: it is no call, or it cannot be spawned.
bool take_apart(workspace &space, const clang::Expr *e, spawned_call &into);

// Whether an object of the type can be made of another one, as far as the type is known.
bool can_move(clang::QualType type);

} // namespace saguaro::cilkc
