// SPDX-License-Identifier: MIT
// What a space that waits finds out about the others: that one has ended, or that all wait for each
// other.
#pragma once

#include "spmc/layout.hpp"
#include "spmc/waiting.hpp"

#include <cstdint>

namespace saguaro::spmc {

// How a space ended, in words: "exit code 3", "signal 9 (Killed)". `text` has room for it.
inline constexpr int cause_bytes = 80;
const char *cause_of(const space &ended, char (&text)[cause_bytes]);

// Ends the calling space with a line if nobody is left who could end the wait: its peer has ended,
// or a page has no producer any more. The word had the value `expected` a moment ago, and is looked
// at again.
void end_if_in_vain(const awaited &what, std::uint32_t expected);

// Ends the calling space with a line if all spaces that could end its wait wait themselves, for
// each other or for what nobody is left to do. The line names who waits for whom. No space is taken
// for one that waits because it is slow: a wait counts only if its word has not changed.
void end_in_a_cycle(const awaited &what);

} // namespace saguaro::spmc
