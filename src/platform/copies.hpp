// SPDX-License-Identifier: MIT
// Copies of the library in one process: whether the loader has put another one in this one's place.
#pragma once

namespace saguaro::platform {

// Whether another copy of the library stands in this one's place: the program, or an object that
// was loaded with its names visible to all, contains one as well, and the loader has bound this
// one's names to that. All calls reach the other then; whatever this one did by itself, when it is
// loaded or unloaded, would do it to the other's data. True or false from the start to the end of
// the process. May be called before any constructor. A few nanoseconds. Hidden: the other's would
// answer for itself.
[[gnu::visibility("hidden")]] bool is_displaced() noexcept;

} // namespace saguaro::platform
