// SPDX-License-Identifier: MIT
// The analysis of names: renaming and lifting what would clash in the clones.
#pragma once

#include "analyse/procedure.hpp"

namespace saguaro::cilkc {

// Gives types, statics and shadowing variables of the function names of their own, lifts the first
// two, and finds where each name stands.
void find_names(const source_text &source, procedure &p);

// Whether it is alloca, by any of its names.
bool is_alloca(const clang::FunctionDecl &function);

} // namespace saguaro::cilkc
