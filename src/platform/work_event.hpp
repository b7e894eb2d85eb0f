// SPDX-License-Identifier: MIT
// What a processor counts for the work of a thread: arch.hpp says which event each has.
#pragma once

#include <cstdint>

namespace saguaro::platform {

// As perf_event_open wants it.
struct work_event {
    std::uint32_t type;
    std::uint64_t config;
    const char *name; // null: the processor has none that is known here
};

} // namespace saguaro::platform
