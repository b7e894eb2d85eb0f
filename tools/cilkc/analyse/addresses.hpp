// SPDX-License-Identifier: MIT
// The analysis of which variables have an address that outlives an expression.
#pragma once

#include "analyse/procedure.hpp"

namespace saguaro::cilkc {

// Finds the variables and the literals of the function whose address somebody may keep.
void find_addresses(procedure &p);

} // namespace saguaro::cilkc
