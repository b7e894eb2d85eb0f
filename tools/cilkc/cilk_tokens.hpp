// SPDX-License-Identifier: MIT
#pragma once

#include "token_edits.hpp"

#include <optional>
#include <string_view>

namespace saguaro::cilkc {

// OpenCilk's and Cilk Plus's words are core Cilk C's but for what follows: a spawned block gets a
// marker of its own, and `#pragma cilk grainsize` goes into the header of its loop.
void cilk_to_core(token_edits &edits);

// The expression of `cilk grainsize = N`, or `cilk grainsize N`, which stands behind `#pragma`.
// Nothing: another pragma.
std::optional<std::string_view> grain_of(std::string_view pragma);

} // namespace saguaro::cilkc
