// SPDX-License-Identifier: MIT
// The line that a space writes to stderr before it ends.
#pragma once

#include "spmc/layout.hpp"

#include <cstddef>
#include <cstdint>

namespace saguaro::spmc {

// Room for the name of a space: "0.12.3".
inline constexpr int name_bytes = 96;

// The path of a space from the root, "0", over the numbers of the children: "0.2.1". Shortened in
// the middle if it is longer than the room for it.
const char *name_of(slot which, char (&text)[name_bytes]);

// Writes "saguaro: spmc: space NAME: ..." as printf does, and ends the process with exit code 2.
// For what the system refuses, and for peers that are gone. Callable in a signal handler. A process
// writes one such line: if several threads call this or `trap` at once, the first one's.
[[noreturn, gnu::format(printf, 1, 2)]] void give_up(const char *format, ...);

// The same where the system refuses to "map", "protect", ... these bytes of regions: errno says
// why.
[[noreturn]] void give_up_mapping(const char *what, std::uint64_t bytes, std::uintptr_t address);

// The same for a rule of regions that the calling space has broken; others are told that it did.
[[noreturn, gnu::format(printf, 1, 2)]] void trap(const char *format, ...);

// The same, without an end.
[[gnu::format(printf, 1, 2)]] void say(const char *format, ...);

// A floor above may tell what the calling thread was doing: each line calls the function, behind
// the space's name. It writes to `text`, and returns how much, as snprintf does.
using write_activity = int(char *text, std::size_t room);
void set_activity(write_activity *function);

} // namespace saguaro::spmc
