// SPDX-License-Identifier: MIT
// Work and critical path of programs that measure them (saguaro/detail/cilk_profile.h).
#pragma once

#include <cstdint>

struct sg_profile;

namespace saguaro::scheduler {

// Of the strand that runs on a deque. Touched by the flow.
struct strand_clock {
    sg_profile *running = nullptr; // null: what runs is not measured
    std::int64_t path = 0;         // the critical path up to `begin`, ns
    std::int64_t begin = 0;        // ns; what came before is counted
    bool child_begins = false;     // the next activation is a spawned child
};

// Of all measured parts of the process that have come to their ends, one after the other.
struct profile_totals {
    std::int64_t work; // ns
    std::int64_t path; // ns

    double parallelism() const {
        return static_cast<double>(work) / static_cast<double>(path > 0 ? path : 1);
    }
};

profile_totals totals_of_profile();

// A part has ended. Any thread.
void add_to_profile(std::int64_t work, std::int64_t path);

} // namespace saguaro::scheduler
