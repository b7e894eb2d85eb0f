// SPDX-License-Identifier: MIT
// The ranks of a job: begins them, passes on what they write, and ends them all when one fails.
#pragma once

#include "carriage.hpp"
#include "options.hpp"

namespace saguaro::detmpiexec {

// Runs the job to its end, or its part on this machine; null: all of it is here. Returns the exit
// code.
int run(const options &what, const among_hosts *hosts);

} // namespace saguaro::detmpiexec
