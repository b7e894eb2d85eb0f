// SPDX-License-Identifier: MIT
// An access that the memory system has refused, to a page that is not there yet, or not for this.
#pragma once

#include <cstdint>

namespace saguaro::spmc {

// Makes this process handle such faults. Others go on to whoever handled them before. Once, by who
// makes the job.
void handle_faults();

// Calls ask(address) for refused accesses outside of regions, in the signal handler. It ends the
// space with a line if it knows the address.
using fault_question = void (*)(std::uintptr_t address);
void ask_about_faults(fault_question ask);

} // namespace saguaro::spmc
