// SPDX-License-Identifier: MIT
// Groups of tasks: cancelling one, and whether a task is in one that is cancelled.
#include "hyperobjects/region.hpp"
#include "saguaro/task_group.hpp"

#include <atomic>

namespace saguaro::detail {

std::atomic<unsigned> cancelled_groups{0};

void cancel_group(group_state &g) noexcept {
    // Release: pairs with is_group_cancelled; who sees it sees what the caller did before.
    if ((g.state.fetch_or(group_state::cancelled, std::memory_order_release) &
         group_state::cancelled) == 0)
        cancelled_groups.fetch_add(1, std::memory_order_relaxed);
}

namespace {

bool is_flagged(const group_state &g) {
    // Acquire: pairs with cancel_group.
    return (g.state.load(std::memory_order_acquire) & group_state::cancelled) != 0;
}

// The tasks that the flow descends from are there as long as it is.
bool is_a_task_cancelled() {
    const auto &here = *static_cast<spawn_deque *>(SG_REGION_GET(sg_deque *, deque));
    for (const task_node *task = here.task; task != &no_task; task = task->outer)
        if (task->of != nullptr && is_flagged(*static_cast<const group_state *>(task->of)))
            return true;
    return false;
}

} // namespace

bool is_group_cancelled(const group_state &g) noexcept {
    return is_flagged(g) || is_a_task_cancelled();
}

bool is_current_group_cancelled() noexcept {
    return is_a_task_cancelled();
}

} // namespace saguaro::detail
