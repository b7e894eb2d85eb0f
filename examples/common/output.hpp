// SPDX-License-Identifier: MIT
// Printing a report on standard output, with an exit code if that fails.
#pragma once

#include <cerrno>
#include <cstdio>
#include <string>

namespace saguaro::examples {

/// Writes what has been printed and is still held back. `code`, or 1 with a line that says why not
/// all of the output could be written: the last thing that a program does.
inline int written(const char *program, int code) {
    errno = 0;
    const bool flushed = std::fflush(stdout) == 0;
    if (flushed && std::ferror(stdout) == 0)
        return code;
    // Of an earlier piece that was lost the reason is gone.
    const std::string line = std::string(program) + ": standard output";
    if (flushed)
        std::fprintf(stderr, "%s: not all of it could be written\n", line.c_str());
    else
        std::perror(line.c_str());
    return 1;
}

} // namespace saguaro::examples
