// SPDX-License-Identifier: MIT
// The table behind a kind of frame, and the piece of work that a thief comes away with.
#pragma once

#include "saguaro/frame.h"

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
    refused,   // no memory: all is as it was
};

} // namespace saguaro::scheduler

// How thieves take from a kind of frame, and how what they took is begun. The runtime's frames:
// spawned and full frames of C functions (full_frame.cpp), closures (closure.cpp), ranges
// (range.cpp).
struct sg_frame_kind {
    const char *name;

    // Takes from `frame`, the oldest of `victim`'s deque. The deque's lock is held, `exc` is above
    // the frame's slot and a heavy fence has passed, so the owner cannot pop the frame. Fills
    // `loot` if it returns taken or shared.
    saguaro::scheduler::take_result (*take)(saguaro::scheduler::worker &thief,
                                            saguaro::scheduler::deque &victim, sg_frame *frame,
                                            saguaro::scheduler::work &loot);

    // Begins what `take` gave, as the first function on a stack; the argument is loot's.
    void (*resume)(void *argument);
};
