// SPDX-License-Identifier: MIT
// AArch64: see platform/arch.hpp for what is promised.
#pragma once

#include "platform/work_event.hpp"

#include <cstdint>

namespace saguaro::platform {

// `isb` holds the pipeline up for some tens of cycles; `yield` does nothing on most processors.
inline void cpu_relax() {
    __asm__ __volatile__("isb" ::: "memory");
}

inline std::uint64_t ticks() {
    std::uint64_t count;
    __asm__ __volatile__("mrs %0, cntvct_el0" : "=r"(count));
    return count;
}

// 1 to 40 µs, as the counter's rate may be.
inline constexpr std::uint64_t ticks_worth_a_wake = 1'000;

// FPCR. What has happened is in FPSR.
inline std::uint64_t float_mode() {
    std::uint64_t mode;
    __asm__ __volatile__("mrs %0, fpcr" : "=r"(mode));
    return mode;
}

inline void set_float_mode(std::uint64_t mode) {
    __asm__ __volatile__("msr fpcr, %0" : : "r"(mode) : "memory");
}

// Instructions that have retired.
work_event event_of_work();

const char *stack_pointer_of(const void *machine_state);

} // namespace saguaro::platform
