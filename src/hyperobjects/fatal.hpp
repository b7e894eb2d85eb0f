// SPDX-License-Identifier: MIT
// The end of a program that used a reducer against its rules.
#pragma once

#include <cstdio>
#include <cstdlib>

namespace saguaro::hyperobjects {

// Writes "saguaro: `message`" on stderr and aborts, so that a debugger stops where it happened.
[[noreturn, gnu::cold]] inline void fatal(const char *message) {
    std::fprintf(stderr, "saguaro: %s\n", message);
    std::abort();
}

} // namespace saguaro::hyperobjects
