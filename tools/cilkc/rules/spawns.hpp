// SPDX-License-Identifier: MIT
// The rules about spawns, syncs and inlets.
#pragma once

#include "rules/context.hpp"

namespace saguaro::cilkc {

// Where spawns and syncs may stand, what may be spawned and called, and how inlets are used.
void check_spawns(rule_context context);

} // namespace saguaro::cilkc
