// SPDX-License-Identifier: MIT
// Writing a rank's line with one system call.
#include "mpi/core/reports/diagnostics.hpp"

#include <algorithm>
#include <cstdarg>
#include <cstdio>
#include <unistd.h>

namespace saguaro::mpi {

namespace {

int rank_of_lines = -1;

// One write, so that lines of several ranks do not mix.
void write_line(const char *format, va_list arguments) {
    char line[2048];
    constexpr int room = sizeof(line) - 1; // for the newline
    int used = rank_of_lines < 0
                   ? std::snprintf(line, room, "saguaro: mpi: ")
                   : std::snprintf(line, room, "saguaro: mpi: rank %d: ", rank_of_lines);
    used += std::vsnprintf(line + used, static_cast<std::size_t>(room - used), format, arguments);
    used = std::min(used, room - 1);
    line[used] = '\n';
    [[maybe_unused]] const ssize_t written =
        write(STDERR_FILENO, line, static_cast<std::size_t>(used) + 1);
}

} // namespace

void say(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    write_line(format, arguments);
    va_end(arguments);
}

void fail(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    write_line(format, arguments);
    va_end(arguments);
    _exit(2);
}

void set_rank_of_lines(int rank) {
    rank_of_lines = rank;
}

} // namespace saguaro::mpi
