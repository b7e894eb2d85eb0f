// SPDX-License-Identifier: MIT
// The variables of the environment that say how workers run, and whether they are recorded.
#pragma once

#include "platform/processors.hpp"
#include "platform/settings.hpp"

#include <cstddef>

namespace saguaro::scheduler {

// Ranges of the table.
using platform::most_workers;
inline constexpr std::size_t least_stack_bytes = std::size_t{1} << 16;
inline constexpr std::size_t most_stack_bytes = std::size_t{1} << 30;

namespace variables {

inline constexpr platform::setting workers{
    .name = "SAGUARO_WORKERS",
    .fallback = "the processors this process may use",
    .kind = platform::setting_kind::number,
    .low = 1,
    .high = most_workers,
    .meaning = "the number of workers; CILK_NWORKERS means the same",
    .synonym = "CILK_NWORKERS"};
inline constexpr platform::setting stack_size{
    .name = "SAGUARO_STACK_SIZE",
    .fallback = "8388608",
    .kind = platform::setting_kind::number,
    .low = least_stack_bytes,
    .high = most_stack_bytes,
    .meaning = "bytes of a stack for calls; address space until the program uses it"};
inline constexpr platform::setting policy{
    .name = "SAGUARO_POLICY",
    .fallback = "uniform",
    .accepted = "uniform, nearest, biased, biased:WEIGHT,WEIGHT...",
    .meaning = "how a worker without work chooses its victim"};
inline constexpr platform::setting stats{
    .name = "SAGUARO_STATS",
    .fallback = "0",
    .kind = platform::setting_kind::number,
    .low = 0,
    .high = 1,
    .meaning = "1: count spawns, measure times, print all counters at the end"};
inline constexpr platform::setting spin{
    .name = "SAGUARO_SPIN",
    .fallback = "100",
    .kind = platform::setting_kind::number,
    .low = 0,
    .high = 1'000'000,
    .meaning = "microseconds that a worker looks for work before it sleeps"};

inline constexpr platform::setting record{
    .name = "SAGUARO_RECORD",
    .fallback = "none",
    .accepted = "none, FILE",
    .meaning =
        "file for the spawn tree of a run on one worker; workers that start again write FILE-2",
    .needs_own_rights = true};
inline constexpr platform::setting record_grain{
    .name = "SAGUARO_RECORD_GRAIN",
    .fallback = "500",
    .kind = platform::setting_kind::number,
    .low = 0,
    .high = 1'000'000,
    .meaning = "nanoseconds; what works for less than this is one strand of the recording"};

inline constexpr const platform::setting *all[] = {&workers, &stack_size, &policy, &stats, &spin};

inline constexpr const platform::setting *of_recordings[] = {&record, &record_grain};

} // namespace variables

} // namespace saguaro::scheduler
