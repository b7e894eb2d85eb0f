// SPDX-License-Identifier: MIT
// The totals of work and critical path that all strands add to.
#include "scheduler/profile.hpp"

#include <atomic>

namespace saguaro::scheduler {

namespace {

// Relaxed, both: who reads them at the end has waited for the parts in some other way.
std::atomic<std::int64_t> total_work{0};
std::atomic<std::int64_t> total_path{0};

} // namespace

profile_totals totals_of_profile() {
    return {total_work.load(std::memory_order_relaxed), total_path.load(std::memory_order_relaxed)};
}

void add_to_profile(std::int64_t work, std::int64_t path) {
    total_work.fetch_add(work, std::memory_order_relaxed);
    total_path.fetch_add(path, std::memory_order_relaxed);
}

} // namespace saguaro::scheduler
