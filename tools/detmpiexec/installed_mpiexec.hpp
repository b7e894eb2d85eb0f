// SPDX-License-Identifier: MIT
// Running an installed mpiexec, and telling its own messages from those of the job.
#pragma once

#include <string>
#include <vector>

namespace saguaro::detmpiexec {

// The line that a launcher writes at the end of a job, the one on host 0 if all is well. After it
// only mpiexec speaks.
std::string line_about_end(int code);

// Runs the command. Passes on its standard error but for mpiexec's own lines about ends, instead of
// which it says one of its own if the job has not come to an end that host 0 has told. Returns the
// exit code.
int run_mpiexec(std::vector<std::string> command);

} // namespace saguaro::detmpiexec
