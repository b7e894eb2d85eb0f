// SPDX-License-Identifier: MIT
// The processor's event that counts as a thread's work: arch.hpp says which one each processor has.
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
