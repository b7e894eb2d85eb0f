// SPDX-License-Identifier: MIT
// The table of functions of a kind of frame, and the piece of work that a thief comes away with.
#pragma once

#include "saguaro/detail/frame.h"

namespace saguaro::stacks {
struct stack;
}

namespace saguaro::scheduler {

struct deque;
struct worker;

// What a worker runs next: a flow that was suspended, or a function on a stack of its own.
struct work {
    stacks::stack *suspended = nullptr; // continue the flow on this stack
    void (*body)(void *) = nullptr;     // or call body(argument) on an empty stack
    void *argument = nullptr;

    explicit operator bool() const { return suspended != nullptr || body != nullptr; }
};

enum class take_result {
    taken,     // the frame is gone: its slot is passed
    shared,    // part of the frame was taken, more may be taken later: its slot stays the oldest
    exhausted, // nothing to take now or later: its slot is passed
    asked,     // the owner was asked to let something go: it may be had when it has answered
    lacking,   // thief.spare_memory lacks memory for it: all is as it was
    refused,   // not now: all is as it was
};

// A thief at work on a deque. It holds the deque's lock, and the deque's oldest slot is public.
struct theft {
    worker &thief;
    deque &victim;
    // The flow on the deque is suspended and stays so, because the thief holds the chain's lock.
    bool at_rest;
};

} // namespace saguaro::scheduler

// How thieves take from a kind of frame, and how what they took is begun. The runtime's frames:
// spawned and full frames of C functions (full_frame.cpp), closures (closure.cpp), ranges
// (range.cpp).
struct sg_frame_kind {
    const char *name;

    // Takes from `frame`, the oldest of the victim's deque, which the owner cannot pop meanwhile.
    // Fills `stolen` if it returns taken or shared. Allocates nothing.
    saguaro::scheduler::take_result (*take)(const saguaro::scheduler::theft &theft, sg_frame *frame,
                                            saguaro::scheduler::work &stolen);

    // Begins what `take` gave, as the first function on a stack; the argument is stolen's.
    void (*resume)(void *argument);
};
