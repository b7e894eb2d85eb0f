// SPDX-License-Identifier: MIT
// The end of a process that has run out of memory.
#pragma once

namespace saguaro::platform {

// Ends the process with one line and exit code 1, where memory has run out and nobody could be told
// in another way. `for_what` is what there is no memory for. Any thread.
[[noreturn]] void end_without_memory(const char *for_what);

} // namespace saguaro::platform
