// SPDX-License-Identifier: MIT
// Building, resetting and searching a deque's slots.
#include "scheduler/deque.hpp"

#include "scheduler/stand_ins.hpp"

#include <mutex>
#include <new>

namespace saguaro::scheduler {

namespace {

// Written before any worker runs.
bool always_ask = false;

bool is_full(sg_frame **slot) {
    // Relaxed: the owner reads its own stores.
    return __atomic_load_n(slot, __ATOMIC_RELAXED) != nullptr;
}

} // namespace

void ask_at_every_pop(bool always) {
    always_ask = always;
}

void deque::build(stacks::stack *s) {
    deque *const d = new (s->extra()) deque;
    d->strand_node = nullptr;
    d->spawning = nullptr;
    d->spawned = nullptr;
    d->task = &detail::no_task;
    d->resume_flags = 0;
    d->reset();
}

std::size_t deque::bytes(std::size_t stack_bytes) {
    // A frame has at least eight bytes of its own on the stack, so this is twice what can be full:
    // the search for the tail may look that far ahead.
    return sizeof(deque) + 2 * stack_bytes;
}

void deque::reset() {
    incomplete = nullptr;
    tail = slots();
    scopes = nullptr;
    entries.clear();
    // Relaxed: the stack is not yet to be found by any thief that would take from it.
    strand.is_out.store(false, std::memory_order_relaxed);
    const std::lock_guard guard(lock);
    stubs = nullptr;
    origin = nullptr;
    start(slots(), always_ask);
}

sg_frame **deque::find_tail() {
    // Full slots are followed by nulls only, so gallop, then halve.
    sg_frame **full = tail;
    if (!is_full(full))
        return full;
    if (full == &slot_of_blocked) [[unlikely]]
        refuse_push();
    std::size_t step = 1;
    while (is_full(full + step)) {
        full += step;
        step *= 2;
    }
    sg_frame **free = full + step;
    while (free - full > 1) {
        sg_frame **const middle = full + (free - full) / 2;
        (is_full(middle) ? full : free) = middle;
    }
    return free;
}

} // namespace saguaro::scheduler
