// SPDX-License-Identifier: MIT
// The debugger's names of a procedure's variables.
#pragma once

#include "analyse/procedure.hpp"
#include "parse/debug_names.hpp"

namespace saguaro::cilkc {

// Adds what the function's variables are in its clones.
void add_variable_names(const source_text &source, const procedure &p, debug_names &names);

} // namespace saguaro::cilkc
