// SPDX-License-Identifier: MIT
// What processes of ranks tell the launcher of MPI libraries that they have loaded.
#pragma once

#include "programs.hpp"

#include <cstddef>
#include <string>

namespace saguaro::detmpiexec {

// Has a library loaded into all programs that a rank's program starts, and into itself. When such a
// process ends it notes another MPI library that it has loaded, unless it has called the project's
// MPI_Init. Not for programs that are linked against the project's: they are what they should be,
// and AddressSanitizer's library wants to be the first one that is loaded.
void ask_for_notes(environment &of);

// The library that a process of the rank has noted; or empty.
std::string noted_library(std::size_t rank);

} // namespace saguaro::detmpiexec
