// SPDX-License-Identifier: MIT
// The rules about jumps.
#pragma once

#include "rules/context.hpp"

namespace saguaro::cilkc {

// Jumps into and out of loops, spawned blocks, scopes and inlets; headers of loops; what functions
// that spawn cannot contain.
void check_jumps(rule_context context);

} // namespace saguaro::cilkc
