// SPDX-License-Identifier: MIT
// Reducers at the end of the process.
//
// `exit` destroys static objects while other threads go on, and so does the return of `main`. A
// run that is under way then uses reducers whose destructors are called: nobody has broken a rule,
// and the process ends with the program's own exit code. Such a reducer stays as it is, to the end.
#pragma once

#include "saguaro/reducer.h"

namespace saguaro::hyperobjects {

// How this floor asks whether any run is under way, this thread's or another's. Any thread; the
// scheduler's.
void ask_for_runs(bool (*any)()) noexcept;

// Whether the reducer, which is about to be destroyed by an exit handler or as a static object at
// the end of the process, stays as it is because a run may still use it: one that holds it, or, if
// it has static storage, any. One that an exit handler has for itself is destroyed as ever. A few
// nanoseconds, and some 20 more for a reducer that is not on the caller's stack.
bool stays_to_the_end(const sg_reducer *reducer) noexcept;

// Whether somebody else than the calling strand has views of the reducer.
bool is_outstanding(const sg_reducer *reducer) noexcept;

} // namespace saguaro::hyperobjects
