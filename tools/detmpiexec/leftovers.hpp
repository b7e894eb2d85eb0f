// SPDX-License-Identifier: MIT
// Processes that the ranks' programs have started and not ended. A rank is a child of the launcher
// and ends with it; a program that a rank's script starts is a child of the rank.
#pragma once

namespace saguaro::detmpiexec {

// From now on a process whose parent has ended is a child of this one, if it descends from it.
void adopt_leftovers();

// When no rank lives any more: kills those processes. Returns when they have ended, or after a
// second: a process may wait for a disk that does not answer.
void kill_leftovers();

} // namespace saguaro::detmpiexec
