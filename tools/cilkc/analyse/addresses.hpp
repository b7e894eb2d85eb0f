// SPDX-License-Identifier: MIT
#pragma once

#include "analyse/procedure.hpp"

namespace saguaro::cilkc {

// Finds the variables and the literals of the function whose address somebody may keep.
void find_addresses(procedure &p);

} // namespace saguaro::cilkc
