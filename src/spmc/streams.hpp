// SPDX-License-Identifier: MIT
// The program's buffered streams, of which a space begins with a copy.
#pragma once

namespace saguaro::spmc {

// Writes what is buffered: before a space begins, which would write it as well, and before one ends
// without `exit`. The streams of C, and std::cout and std::clog. While another thread waits for
// standard input, of C's streams only standard output and error, for the others' locks are not to
// be had without that one's.
void flush_streams();

// In a new space: standard input's buffer is the parent's. At the end of a space, C's library would
// take back what was read of a file and not used, for all who have it open.
void forget_input();

} // namespace saguaro::spmc
