// SPDX-License-Identifier: MIT
// How much of what a rank has freed the malloc of its C library keeps for it.
#pragma once

#include "programs.hpp"

#include <cstdint>
#include <string>

namespace saguaro::detmpiexec {

// The entries of GLIBC_TUNABLES for one of so many ranks that share so much memory, in bytes. Empty
// where the default keeps as much, and where the C library takes no such entry.
std::string entries_that_keep_memory(std::uint64_t memory, unsigned ranks);

// Adds these entries to the environment of a rank, one of so many on this machine. If the user has
// said anything about malloc there, or GLIBC_TUNABLES is there and empty, it stays as it is.
void keep_freed_memory(environment &of, unsigned ranks);

} // namespace saguaro::detmpiexec
