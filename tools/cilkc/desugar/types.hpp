// SPDX-License-Identifier: MIT
// The step that makes a function's own types known to the functions made of its parts.
#pragma once

#include "desugar/rewriting.hpp"

namespace clang {
class FunctionDecl;
} // namespace clang

namespace saguaro::cilkc {

// Moves the types that the function declares to file scope, under new names, so that what is made
// of its parts knows them: in the text, and in the tree that types are printed from.
void lift_types(rewriting &work, const clang::FunctionDecl &function, around_function &around);

} // namespace saguaro::cilkc
