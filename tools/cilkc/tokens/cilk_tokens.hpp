// SPDX-License-Identifier: MIT
// The token pass for OpenCilk and Cilk Plus.
#pragma once

#include "tokens/token_edits.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace saguaro::cilkc {

// OpenCilk's and Cilk Plus's words are core Cilk C's but for what follows: spawned statements
// become spawns of calls or, with a marker of their own, of blocks (spawn_statements.hpp), and
// `#pragma cilk grainsize` goes into the header of its loop.
void cilk_to_core(token_edits &edits);

// What is said, behind their names, of the words that are no spawn's.
constexpr std::string_view in_an_expression = " in an expression: it is a statement of its own";

// What is said of a word that <cilk/cilk.h> would have replaced.
std::string without_header(const token &word);

// What is said of `cilk_sync()`.
constexpr std::string_view sync_is_no_function =
    "cilk_sync is a statement, not a function: 'cilk_sync;'";

// The expression of `cilk grainsize = N`, or `cilk grainsize N`, which stands behind `#pragma`.
// Nothing: another pragma.
std::optional<std::string_view> grain_of(std::string_view pragma);

} // namespace saguaro::cilkc
