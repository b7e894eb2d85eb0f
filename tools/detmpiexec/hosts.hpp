// SPDX-License-Identifier: MIT
// A job on several machines: an installed mpiexec begins one launcher on each.
#pragma once

#include "options.hpp"
#include "transport_thread.hpp"

namespace saguaro::detmpiexec {

// This process as one of those launchers. Ends the process with a line if it cannot be one.
host_membership join_hosts(const options &what, const mpi::transport::begun_by &who);

// Begins them by the command line that this process was given. Returns the exit code.
int begin_hosts(const options &what, int count, char **words);

} // namespace saguaro::detmpiexec
