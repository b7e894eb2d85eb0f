// SPDX-License-Identifier: MIT
// Time that only goes forward.
#pragma once

#include <cstdint>

namespace saguaro::platform {

// Nanoseconds since some fixed point in the past (CLOCK_MONOTONIC), the same for all threads. Some
// 25 ns, no system call. For less, and for differences on one processor only, see `ticks()` in
// arch.hpp.
std::int64_t now_ns();

// Nanoseconds for which the calling thread has had a processor. A system call, some 250 ns.
std::int64_t thread_ns();

} // namespace saguaro::platform
