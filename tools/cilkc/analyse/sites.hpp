// SPDX-License-Identifier: MIT
// The analysis of a procedure's spawns, calls and syncs.
#pragma once

#include "analyse/procedure.hpp"

#include <set>

namespace saguaro::cilkc {

// Functions that can be called by their fast clones, as their canonical declarations.
using fast_clones = std::set<const clang::FunctionDecl *>;

// Finds the function's sites, its inlets, and its variables with their scopes.
void find_sites(const source_text &source, const fast_clones &with_clone, procedure &p);

} // namespace saguaro::cilkc
