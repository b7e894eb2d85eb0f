// SPDX-License-Identifier: MIT
// How much of what a rank has freed the malloc of its C library keeps for it.
#pragma once

#include "programs.hpp"

namespace saguaro::detmpiexec {

// Adds entries to GLIBC_TUNABLES in the environment of a rank, one of so many on this machine. If
// the user has said anything about malloc there, or the variable is there and empty, it stays as it
// is.
void keep_freed_memory(environment &of, unsigned ranks);

} // namespace saguaro::detmpiexec
