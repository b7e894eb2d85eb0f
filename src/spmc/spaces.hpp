// SPDX-License-Identifier: MIT
// Spaces: processes of a job, each the child of another, and what becomes of them.
#pragma once

#include "spmc/layout.hpp"

#include <cstdint>

namespace saguaro::spmc {

// Begins a space that runs function(argument) in a copy of the caller's memory, without its
// regions. 0 and its slot, or an error number: EAGAIN, ENOMEM.
int begin_space(int (*function)(void *), void *argument, slot &out);

// Begins a space that runs a program, as execv. The same, and the error numbers of execv.
int begin_program(const char *path, char *const *arguments, slot &out);

// Kills a child of this space, unless it has ended; it takes its own children along. 0, or the
// error number if the system refuses it.
int terminate(slot which);

// Returns when that space has ended.
void wait_for_end(slot which);

// The slot of the space with that index: waits until somebody begins it, because whether somebody
// has depends on who is faster.
slot slot_of(std::uint64_t index);

// Ends the calling space if its parent has ended. The kernel does that, unless the program has
// changed its user or group since: then the kernel is told again, from now on.
void stay_with_parent();

// How many children this space has begun so far. Takes no lock: one that another thread is just
// beginning is counted, unless the caller has the lock of children.hpp.
std::uint32_t children_begun();

// Whether a thread of the library watches over this space's children.
bool watches_children();

// What is done when a space ends by itself: waits for its children, says a line about each that
// failed, gives up its pages.
void end_well();

} // namespace saguaro::spmc
