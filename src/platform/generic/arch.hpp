// SPDX-License-Identifier: MIT
// Any processor: see platform/arch.hpp for what is promised.
#pragma once

#include "platform/clock.hpp"
#include "platform/work_event.hpp"

#include <cstdint>

namespace saguaro::platform {

inline void cpu_relax() {
    __asm__ __volatile__("" ::: "memory");
}

inline std::uint64_t ticks() {
    return static_cast<std::uint64_t>(now_ns());
}

inline constexpr std::uint64_t ticks_worth_a_wake = 30'000;

// The rounding mode.
std::uint64_t float_mode();
void set_float_mode(std::uint64_t mode);

// None.
work_event event_of_work();

const char *stack_pointer_of(const void *machine_state);

} // namespace saguaro::platform
