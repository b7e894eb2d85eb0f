// SPDX-License-Identifier: MIT
// The options of a pool: bounds, and what stands for those that are 0.
#pragma once

#include "platform/cpus.hpp"
#include "saguaro/worker_pool.h"
#include "spmc/lines.hpp"

#include <algorithm>
#include <cstdint>

namespace saguaro::pools {

inline constexpr unsigned most_workers = 4096;
inline constexpr unsigned usual_attempts = 3;
inline constexpr std::uint64_t highest_limit = INT64_MAX; // in effect none: 292 years, or 8 EB

// Puts in what 0 stands for. False after a line if an option is out of range.
inline bool complete(sg_worker_pool_options &options, const char *function) {
    if (options.workers > most_workers) {
        spmc::say("%s was given %u workers: up to %u are possible", function, options.workers,
                  most_workers);
        return false;
    }
    if (options.workers == 0)
        options.workers = platform::default_workers();
    if (options.attempts == 0)
        options.attempts = usual_attempts;
    options.time_limit = std::min(options.time_limit, highest_limit);
    options.memory_limit = std::min(options.memory_limit, highest_limit);
    return true;
}

} // namespace saguaro::pools
