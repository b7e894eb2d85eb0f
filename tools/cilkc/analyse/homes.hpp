// SPDX-License-Identifier: MIT
// The choice of where each variable of a procedure lives.
#pragma once

#include "analyse/procedure.hpp"

namespace saguaro::cilkc {

// Decides where each variable of the function is in the clones, and finds what inlets use.
void find_homes(const source_text &source, procedure &p);

} // namespace saguaro::cilkc
