// SPDX-License-Identifier: MIT
// A deque: the frames of one native stack that thieves may take from, and what the runtime keeps
// with them. One deque a stack, not one a worker: a stack that is parked and resumed elsewhere
// keeps its slots, so the addresses in its registers stay valid. README.md has the protocol.
#pragma once

#include "platform/fence.hpp"
#include "platform/spin_lock.hpp"
#include "saguaro/scope.hpp"
#include "scheduler/entry_slots.hpp"
#include "scheduler/profile.hpp"
#include "stacks/exceptions.hpp"
#include "stacks/stack.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace saguaro::scheduler {

struct full_frame;
struct spawned_child;
struct taken_child;

// Pops below any slot ask the runtime: statistics count them, and where the kernel has no
// asymmetric fence the lock stands in for it.
inline sg_frame **const ask_always = reinterpret_cast<sg_frame **>(UINTPTR_MAX);

#if defined(SG_INLINE_START)
static_assert(offsetof(stacks::stack, ctx) == 0 && offsetof(stacks::context, sp) == 0 &&
              sizeof(stacks::stack) == detail::stack_descriptor_bytes);
#endif

struct deque : detail::spawn_deque {
    // Bits of `chores`. The flow has luggage, which is in `exceptions` and `heritage`.
    static constexpr unsigned char packed_luggage = 1;
    // The stack of the child is not to be kept when the child ends.
    static constexpr unsigned char surplus_child = 2;

    // What thieves look at before they try lies on another cache line than what the owner writes
    // with each push: beside a thief that had nothing, a push took 0.27 µs, and takes 0.16.

    // Guards exc (for writers), head, stubs and origin; and whatever thieves do to the frames.
    alignas(64) platform::spin_lock lock;

    // The oldest slot that has not been taken. Written under the lock, read without it by thieves
    // that look whether a try is worth while.
    std::atomic<sg_frame **> head;

    // The children of C functions whose frames were taken from this stack, newest first.
    spawned_child *stubs;

    // The full frame whose slow clone is the first function on this stack; null if another function
    // is, or if the frame was taken since.
    full_frame *origin;

    // The records of this flow's scopes that have strands out, youngest first. Touched by the flow,
    // and by a thief while the flow is suspended and its own.
    detail::scope_record *scopes;
    // The strand of the child that runs on this stack, once its parent's continuation has been
    // taken; null before. Written by the thief.
    std::atomic<taken_child *> strand;

    // What the flow has beyond its stack while it is suspended: what the C++ runtime knows of its
    // exceptions, and its place among the strands. Null unless the chores say so.
    stacks::kept_exceptions exceptions;
    detail::ancestor *heritage;
    // The node of the child that runs on this stack, if it needs one.
    detail::ancestor node;

    // Of the ordinary entries of C functions on this stack.
    entry_slots entries;

    // Of programs that measure their critical path. Nothing is measured when a stack begins to run.
    strand_clock clock;

    // What `exc` is when no thief is at work; null: `head`.
    sg_frame **resting_exc;

    // The deque of the stack of the flow's child; null if it has none.
    deque *spawned_deque() const { return static_cast<deque *>(spawned); }

    void add_chore(unsigned char which) { chores = static_cast<unsigned char>(chores | which); }
    void drop_chore(unsigned char which) { chores = static_cast<unsigned char>(chores & ~which); }

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

    // The frame in the oldest slot. Acquire: pairs with the owner's push; the frame's contents are
    // visible.
    sg_frame *oldest() const {
        return __atomic_load_n(head.load(std::memory_order_relaxed), __ATOMIC_ACQUIRE);
    }

    // Under the lock. Release: a thief that leaves a frame to its owner has written in it (a
    // range's limit) before the owner can pop it without the lock and use its memory again; pairs
    // with the load in sg_pop, on which those stores of the owner depend. The rest is ordered by
    // the thief's heavy fence, and an owner that sees `exc` raised takes the lock before it does
    // anything else.
    void set_exc(sg_frame **value) { __atomic_store_n(&exc, value, __ATOMIC_RELEASE); }
    void rest_exc() {
        set_exc(resting_exc == ask_always ? ask_always : head.load(std::memory_order_relaxed));
    }

    // Under the lock: from now on each pop asks, whatever thieves do, until rest_again.
    void keep_asking() {
        resting_exc = ask_always;
        set_exc(ask_always);
    }
    void rest_again();

    // Under the lock: the frames from `first` on are gone or popped, nothing older is left either.
    void restart_at(sg_frame **first) {
        head.store(first, std::memory_order_relaxed);
        rest_exc();
    }
};

inline deque *deque_of(stacks::stack *s) {
    return static_cast<deque *>(s->extra());
}

// Whether pops of deques always ask, from their next reset on: set before any worker runs.
void ask_at_every_pop(bool always);

} // namespace saguaro::scheduler
