// SPDX-License-Identifier: MIT
// Running a job from the start of its ranks to the end of the last.
#pragma once

#include "options.hpp"
#include "transport_thread.hpp"

namespace saguaro::detmpiexec {

// Runs the job to its end, or its part on this machine; null: all of it is here. Returns the exit
// code.
int run(const options &what, const host_membership *hosts);

} // namespace saguaro::detmpiexec
