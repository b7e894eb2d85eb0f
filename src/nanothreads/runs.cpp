// SPDX-License-Identifier: MIT
// The list of the runs that are under way, also across a fork.
#include "nanothreads/runs.hpp"

#include "nanothreads/processor.hpp"
#include "platform/forks.hpp"

#include <mutex>
#include <sched.h>
#include <utility>

std::uintptr_t sg_nt_mask = 0;

namespace saguaro::nanothreads {

namespace {

// Guards the list, and sg_nt_mask, which is constant while there are runs in it.
constinit std::mutex runs_lock;
constinit run_under_way *runs = nullptr;
constinit std::uint32_t begun = 0; // runs; guarded by it, too

// Under the lock. Null: no run in the list has that number.
run_under_way *find(std::uint16_t number) {
    run_under_way *each = runs;
    while (each != nullptr && each->run.number() != number)
        each = each->next;
    return each;
}

// Under the lock. Another number than the runs before had, as far as 65,535 go; and no run's that
// is under way still. Those are fewer: each has memory of its own from the system.
std::uint16_t next_number() {
    std::uint16_t number;
    do
        number = static_cast<std::uint16_t>(begun++ % 65535 + 1);
    while (find(number) != nullptr);
    return number;
}

// In a fork's child the runs of other threads are gone: all, if this one has none. So are the other
// threads.
void forget_other_threads() {
    if (!is_in_a_run())
        runs = nullptr;
    for (run_under_way *each = runs; each != nullptr; each = each->next)
        each->visitors.store(0, std::memory_order_relaxed); // relaxed: there is one thread
}

[[gnu::constructor]] void handle_forks() {
    platform::hold_across_forks<runs_lock, forget_other_threads>();
}

} // namespace

run_under_way::run_under_way(runtime &begins) : run(begins) {
    const std::uintptr_t mask = run.stacks().block_bytes() - 1;
    const std::lock_guard guard(runs_lock);
    accepted_ = runs == nullptr || sg_nt_mask == mask;
    // Not again while others read it.
    if (runs == nullptr)
        sg_nt_mask = mask;
    if (!accepted_)
        return;
    run.set_number(next_number());
    next = std::exchange(runs, this);
}

run_under_way::~run_under_way() {
    {
        const std::lock_guard guard(runs_lock);
        run_under_way **link = &runs;
        while (*link != nullptr && *link != this)
            link = &(*link)->next;
        if (*link != nullptr)
            *link = next;
    }
    // Each has a few instructions left, or a system call that wakes. Acquire: as in with_run.
    while (visitors.load(std::memory_order_acquire) != 0)
        sched_yield();
}

run_under_way *visit(std::uint16_t number) {
    const std::lock_guard guard(runs_lock);
    run_under_way *const found = find(number);
    // Relaxed: the lock orders it before the run is taken off the list.
    if (found != nullptr)
        found->visitors.fetch_add(1, std::memory_order_relaxed);
    return found;
}

} // namespace saguaro::nanothreads
