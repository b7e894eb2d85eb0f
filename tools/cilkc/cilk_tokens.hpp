// SPDX-License-Identifier: MIT
#pragma once

#include "token_edits.hpp"

namespace saguaro::cilkc {

// OpenCilk's and Cilk Plus's words are core Cilk C's but for what follows: a spawned block gets a
// marker of its own, and `#pragma cilk grainsize` goes into the header of its loop.
void cilk_to_core(token_edits &edits);

} // namespace saguaro::cilkc
