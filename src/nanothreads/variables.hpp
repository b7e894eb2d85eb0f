// SPDX-License-Identifier: MIT
// The variables of the environment that nano-threads read.
#pragma once

#include "platform/settings.hpp"
#include "scheduler/variables.hpp"

#include <cstddef>

namespace saguaro::nanothreads {

// The least of the table's range; the most is that of a stack for calls.
inline constexpr std::size_t least_stack_bytes = std::size_t{1} << 14;

namespace variables {

inline constexpr platform::setting design{
    .name = "SAGUARO_NANOTHREADS_DESIGN",
    .fallback = "dsr",
    .kind = platform::setting_kind::choice,
    .accepted = "dsr, lsa, dos",
    .meaning = "how nano-threads get stacks: direct reuse, lazy allocation, descriptor on stack"};
inline constexpr platform::setting stack_size{
    .name = "SAGUARO_NANOTHREADS_STACK_SIZE",
    .fallback = "262144",
    .kind = platform::setting_kind::number,
    .low = least_stack_bytes,
    .high = scheduler::most_stack_bytes,
    .meaning = "bytes of a nano-thread's stack with its guard, rounded up to a power of two"};

inline constexpr const platform::setting *all[] = {&design, &stack_size};

} // namespace variables

} // namespace saguaro::nanothreads
