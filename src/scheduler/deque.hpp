// SPDX-License-Identifier: MIT
// A deque: the frames of one native stack that thieves may take from, and what the runtime keeps
// with them. One deque a stack, not one a worker: a stack that is parked and resumed elsewhere
// keeps its slots, so the addresses in its registers stay valid. README.md has the protocol.
#pragma once

#include "saguaro/scope.hpp"
#include "scheduler/continuation.hpp"
#include "scheduler/entry_slots.hpp"
#include "scheduler/profile.hpp"
#include "scheduler/steal_end.hpp"
#include "stacks/exceptions.hpp"
#include "stacks/stack.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace saguaro::scheduler {

struct full_frame;
struct spawned_child;

#if defined(SG_INLINE_START)
static_assert(offsetof(stacks::stack, ctx) == 0 && offsetof(stacks::context, sp) == 0 &&
              sizeof(stacks::stack) == detail::stack_descriptor_bytes);
#endif

// What thieves look at before they try lies on another cache line than what the owner writes with
// each push: beside a thief that had nothing, a push took 0.27 µs, and takes 0.16. The lock guards
// stubs and origin as well, and whatever thieves do to the frames.
struct deque : detail::spawn_deque, steal_end<deque, sg_frame> {
    // Bits of `resume_flags`. The state of the flow is in `exceptions` and `strand_node`.
    static constexpr unsigned char saved_flow_state = 1;
    // The stack of the child is not to be kept when the child ends.
    static constexpr unsigned char surplus_child = 2;

    // The children of C functions whose frames were taken from this stack, newest first.
    spawned_child *stubs;

    // The full frame whose slow clone is the first function on this stack; null if another function
    // is, or if the frame was taken since.
    full_frame *origin;

    // Of the child that runs on this stack.
    taken_child strand;
    // Where the flow merges views: see merging.hpp. Null: it does not.
    std::atomic<const void *> merge_frame{nullptr};

    // The children that the flow has outside of its own scopes: tasks that it runs into the groups
    // of others. They are waited for where the flow ends.
    scope adopted{this};

    // What the flow has beyond its stack while it is suspended: what the C++ runtime knows of its
    // exceptions, and its place among the strands. Null unless the resume_flags say so.
    stacks::kept_exceptions exceptions;
    detail::ancestor *strand_node;
    // The node of the child that runs on this stack, if it needs one.
    detail::ancestor node;

    // Of the ordinary entries of C functions on this stack.
    entry_slots entries;

    // Of programs that measure their critical path. Nothing is measured when a stack begins to run.
    strand_clock clock;

    // The deque of the stack of the flow's child; null if it has none.
    deque *spawned_deque() const { return static_cast<deque *>(spawned); }

    void set_resume_flag(unsigned char which) {
        resume_flags = static_cast<unsigned char>(resume_flags | which);
    }
    void clear_resume_flag(unsigned char which) {
        resume_flags = static_cast<unsigned char>(resume_flags & ~which);
    }

    stacks::stack *home() { return reinterpret_cast<stacks::stack *>(this) - 1; }
    sg_frame **slots() { return reinterpret_cast<sg_frame **>(this + 1); }

    // Called for each stack that is new, or that an unfinished flow was abandoned on.
    static void build(stacks::stack *s);

    // The bytes that a stack must have beyond its frames.
    static std::size_t bytes(std::size_t stack_bytes);

    // The stack is empty and about to run something new.
    void reset();

    // The first free slot, searched from the lower bound `tail`. Logarithmic in the distance.
    sg_frame **find_tail();

private:
    friend class steal_end<deque, sg_frame>;

    // Under the lock, or in a recorded run. Release: pairs with the load in sg_pop. What a thief
    // has written under the lock before it lowered the mark is visible to an owner that then pops
    // without the lock.
    void show_exc(sg_frame **value) { __atomic_store_n(&exc, value, __ATOMIC_RELEASE); }
};

inline deque *deque_of(stacks::stack *s) {
    return static_cast<deque *>(s->extra());
}

// Whether pops of deques always ask, from their next reset on: statistics count them, and where the
// kernel has no asymmetric fence the lock stands in for it. Set before any worker runs.
void ask_at_every_pop(bool always);

} // namespace saguaro::scheduler
