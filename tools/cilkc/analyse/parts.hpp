// SPDX-License-Identifier: MIT
// The steps of find_procedures.
#pragma once

#include "analyse/procedure.hpp"

#include <set>

namespace saguaro::cilkc {

// Functions that can be called by their fast clones, as their canonical declarations.
using fast_clones = std::set<const clang::FunctionDecl *>;

// Gives types, statics and shadowing variables of the function names of their own, lifts the first
// two, and finds where each name stands.
void find_names(const source_text &source, procedure &p);

// Whose address is taken.
void find_addresses(procedure &p);

// Sites, inlets, and the variables with their scopes.
void find_sites(const source_text &source, const fast_clones &with_clone, procedure &p);

// Where each variable is in the clones, and what inlets use.
void find_homes(const source_text &source, procedure &p);

} // namespace saguaro::cilkc
