// SPDX-License-Identifier: MIT
// Rewriting cilk_spawn before arbitrary statements.
#pragma once

#include "tokens/token_edits.hpp"

namespace saguaro::cilkc {

// `cilk_spawn`, the token `at`, may stand before any statement but a declaration. Core Cilk C has
// spawns of calls, alone or behind an assignment, and of blocks; this makes one of them of what
// follows.
void spawn_to_core(token_edits &edits, std::size_t at);

} // namespace saguaro::cilkc
