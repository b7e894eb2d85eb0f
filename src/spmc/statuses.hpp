// SPDX-License-Identifier: MIT
// How a space's process ended, also where the program has taken its status from the system first.
#pragma once

#include "spmc/job.hpp"
#include "spmc/layout.hpp"

#include <sys/types.h>

namespace saguaro::spmc {

// Waits for the end of a child. Its status as waitpid tells, which the program itself may have
// taken by a wait for any child, or the system dropped because SIGCHLD is ignored. Then it is what
// the kernel tells by the child's descriptor (from Linux 6.15 on), or what the child has left.
// Where neither says anything it is exit code 255, and a line says why, once.
int await_status(const job &all, slot which, pid_t pid, int pidfd);

// In a space that is about to end with this code: leaves it for the parent. Only the first counts.
void leave_code(const job &all, int code);
// The same when the program calls `exit`.
void leave_code_at_exit();

} // namespace saguaro::spmc
