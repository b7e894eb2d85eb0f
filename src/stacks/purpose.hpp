// SPDX-License-Identifier: MIT
// What stacks are for.
#pragma once

#include <cstdint>

namespace saguaro::stacks {

struct stack;

// Who runs on a stack, in words.
struct runner {
    const char *what = nullptr;  // "worker"; null: nobody knows
    std::uintptr_t which = 0;    // its number,
    bool is_an_address = false;  // or where it is, for those that have none
};

// What the users of one kind, such as all workers, have in common: a constant. Its address tells
// the kinds apart, whose stacks are never mixed.
struct purpose {
    // What messages name as the variable that makes a stack larger.
    const char *setting;

    // Builds something in `extra()` of each stack that is new, or whose last user ended without
    // giving it back, on the thread that takes it. May be null.
    void (*build)(stack *) = nullptr;

    // Threads of a user may look at a stack that it has given back (thieves at the deque of a flow
    // that has just ended): so none is unmapped while there is a user.
    bool is_looked_at = false;

    // Who has just overflowed that stack, on the calling thread: for messages. Called in a signal
    // handler. May be null.
    runner (*who)(const stack &) = nullptr;
};

// For users with nothing of their own.
inline constexpr purpose plain{"SAGUARO_STACK_SIZE"};

} // namespace saguaro::stacks
