// SPDX-License-Identifier: MIT
// Where in the program a call of MPI stands, for lines.
#pragma once

#include <string>

namespace saguaro::mpi {

// The first address of this thread's stack that is outside of this library; null if the library is
// part of the program. The first call loads a library.
const void *program_address();

// "program+0x1234 (function)", as addr2line reads it; "the program" for null.
std::string name_of_address(const void *address);

} // namespace saguaro::mpi
