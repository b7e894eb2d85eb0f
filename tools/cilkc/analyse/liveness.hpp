// SPDX-License-Identifier: MIT
// The liveness analysis: which variables a slow clone has to restore at each site.
#pragma once

#include "analyse/procedure.hpp"

namespace saguaro::cilkc {

// Fills in what is live behind each site of the function: the variables whose values a slow clone
// may need that goes on there. Only those that are not in the frame or a block anyway. May say more
// than is needed: a struct of which a member is assigned counts as read.
void find_live(const source_text &source, procedure &p);

} // namespace saguaro::cilkc
