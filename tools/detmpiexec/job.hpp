// SPDX-License-Identifier: MIT
// The ranks of a job: begins them, passes on what they write, and ends them all when one fails.
#pragma once

#include "options.hpp"

namespace saguaro::detmpiexec {

// Runs the job to its end. Returns the exit code.
int run(const options &what);

} // namespace saguaro::detmpiexec
