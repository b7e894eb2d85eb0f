// SPDX-License-Identifier: MIT
// An installed mpiexec from its start to its end, and its own lines among those of the job.
#pragma once

#include <string>
#include <vector>

namespace saguaro::detmpiexec {

// What a launcher writes at the end of a job, that on host 0 if all is well, behind which only
// mpiexec speaks.
std::string line_about_end(int code);

// Runs the command. Passes on its standard error but for mpiexec's own lines about ends, instead of
// which it says one of its own if the job has not come to an end that host 0 has told. Returns the
// exit code.
int run_supervised(std::vector<std::string> command);

} // namespace saguaro::detmpiexec
