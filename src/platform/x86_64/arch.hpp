// SPDX-License-Identifier: MIT
// x86-64: see platform/arch.hpp for what is promised.
#pragma once

#include "platform/work_event.hpp"

#include <cstdint>

namespace saguaro::platform {

inline void cpu_relax() {
    __builtin_ia32_pause();
}

inline std::uint64_t ticks() {
    return __builtin_ia32_rdtsc();
}

// Some 20 to 50 µs: so long must a run have taken for a wake-up, which costs the caller 2 µs, to be
// worth while at its next.
inline constexpr std::uint64_t ticks_worth_a_wake = 100'000;

// The control bits of mxcsr. Whoever changes them by fenv.h changes the x87 control word alike.
inline std::uint64_t float_mode() {
    constexpr unsigned flags = 0x3f; // exceptions that have happened
    return __builtin_ia32_stmxcsr() & ~flags;
}

void set_float_mode(std::uint64_t mode);

// Conditional branches that have retired: of all events the one that no interrupt changes, which is
// why rr counts them too. Which number the event has depends on the model.
work_event event_of_work();

const char *stack_pointer_of(const void *machine_state);

} // namespace saguaro::platform
