// SPDX-License-Identifier: MIT
// Memory of messages that no receive has taken.
//
// When messages come depends on who is faster. By -order work that must not show in what the
// program does: if these messages had memory of the program's malloc, the state of the heap would
// depend on them, and so would the number of instructions that malloc takes. So by that order they
// have pages of their own.
#pragma once

#include <cstddef>

namespace saguaro::detmpi {

// Null where there is no memory.
void *take_parked_memory(std::size_t bytes);
void give_parked_memory(void *memory, std::size_t bytes);

} // namespace saguaro::detmpi
