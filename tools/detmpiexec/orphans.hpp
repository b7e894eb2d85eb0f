// SPDX-License-Identifier: MIT
// Processes that the ranks' programs have started and left running. A rank is a child of the
// launcher, and ends with it; what a rank's script begins is a child of the rank's.
#pragma once

namespace saguaro::detmpiexec {

// From now on a process whose parent has ended is a child of this one, if it descends from it.
void take_in_orphans();

// When no rank lives any more: kills those processes. Returns when they have ended, or after a
// second: a process may wait for a disk that does not answer.
void end_orphans();

} // namespace saguaro::detmpiexec
