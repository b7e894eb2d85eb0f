// SPDX-License-Identifier: MIT
// The purpose of a stack: its users' name, their setting, and how to find out which of them runs on
// it.
#pragma once

#include <cstdint>

namespace saguaro::stacks {

struct stack;

// Who runs on a stack.
struct runner {
    bool is_known = false;
    bool is_an_address = false; // of who has no number
    std::uintptr_t which = 0;   // the number
};

// What the users of one kind, such as all workers, have in common: a constant. Its address tells
// the kinds apart, whose stacks are never mixed.
struct purpose {
    // What messages name as the variable that makes a stack larger.
    const char *setting;

    // Who runs on them: "worker".
    const char *what;

    // Builds something in `extra()` of each stack that is new, or whose last user ended without
    // giving it back, on the thread that takes it. May be null.
    void (*build)(stack *) = nullptr;

    // Threads of a user may look at a stack that it has given back (thieves at the deque of a flow
    // that has just ended): so none is unmapped while there is a user.
    bool is_looked_at = false;

    // Who has just overflowed that stack, on the calling thread: for messages. Called in a signal
    // handler. May be null.
    runner (*who)(const stack &) = nullptr;

    // The stack of this purpose that the calling thread runs on, or ran on last: to recognise a
    // frame that has stepped over the guard. Null: none. Called in a signal handler. May be null.
    const stack *(*current)() = nullptr;
};

// For users with nothing of their own.
inline constexpr purpose plain{"SAGUARO_STACK_SIZE", "flow"};

} // namespace saguaro::stacks
