// SPDX-License-Identifier: MIT
// The building blocks of the primitives of spmc.h.
#pragma once

#include "spmc/pieces.hpp"

#include <cstdint>
#include <sys/mman.h>

namespace saguaro::spmc {

// Where the next region of this space begins that has no wish.
std::uintptr_t fresh_address();

// Maps a piece, as `pieces::map`. Ends this space with a line if the system refuses.
void map_or_give_up(const piece &p, int protection);

// What a producer may do with its open pages, for `map` and `protect`.
inline constexpr int writing = PROT_READ | PROT_WRITE;

// Changes what may be done with whole pages of a piece. Ends this space with a line if the system
// refuses.
void protect(std::uintptr_t address, std::uint64_t bytes, int protection);

// Ends this space with the line that names the rule which it has broken, the address, and the
// region there.
[[noreturn]] void break_rule(const char *rule, const piece &at, std::uintptr_t address);

// Waits until the page at that address of a consumer's piece has been produced. Returns its kind.
std::uint32_t wait_for_page(job &all, const piece &p, std::uintptr_t address);

} // namespace saguaro::spmc
