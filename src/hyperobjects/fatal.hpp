// SPDX-License-Identifier: MIT
// The end of a program that used a reducer against its rules.
#pragma once

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <unistd.h>

namespace saguaro::hyperobjects {

// Writes "saguaro: `message`" on stderr and aborts, so that a debugger stops where it happened.
[[noreturn, gnu::cold]] inline void fatal(const char *message) {
    std::fprintf(stderr, "saguaro: %s\n", message);
    std::abort();
}

// The same where several strands are likely to break the rule at once: one line for all of them.
[[noreturn, gnu::cold]] inline void fatal_once(const char *message) {
    // Relaxed: whoever comes second waits for the end, and nothing else.
    static constinit std::atomic<bool> said{false};
    while (said.exchange(true, std::memory_order_relaxed))
        pause();
    fatal(message);
}

} // namespace saguaro::hyperobjects
