// SPDX-License-Identifier: MIT
// A rank's one-line messages on standard error.
#pragma once

namespace saguaro::mpi {

// Writes "saguaro: mpi: rank R: ..." and a newline, as printf does.
[[gnu::format(printf, 1, 2)]] void say(const char *format, ...);

// The same, and ends the process with exit code 2, and with it the job.
[[noreturn, gnu::format(printf, 1, 2)]] void fail(const char *format, ...);

// The number that lines name; -1: none.
void set_rank_of_lines(int rank);

} // namespace saguaro::mpi
