// SPDX-License-Identifier: MIT
// The line about collectives that do not fit together: of all ranks that see it, one says it, the
// same in each run.
#pragma once

#include <string>

namespace saguaro::mpi::misfits {

// The call that this thread is in fails because of this. The first text stays.
void note(std::string text);

// Whether the failed call has noted something; the handler of its error knows of it from now on,
// and `forget` is its end.
bool is_noted();
void forget();

// Says what was noted and ends the job, if this rank is the one to say it. Ranks find misfits in
// any order, but each at a clock, and the least (clock, rank) decides. A rank waits for the others'
// clocks therefore, as a receive from any source does, but for a second at most. `function` is what
// the program has called.
[[noreturn]] void end_job(const char *function, int error);

} // namespace saguaro::mpi::misfits
