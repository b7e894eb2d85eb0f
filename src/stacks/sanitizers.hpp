// SPDX-License-Identifier: MIT
// Announcements of stack switches to AddressSanitizer and ThreadSanitizer, if one is in the
// process.
#pragma once

#include "platform/sanitizer.hpp"
#include "saguaro/detail/sanitizers.h"

#include <cstddef>

// Whether the library itself is compiled with one.
#define SG_ANNOTATE_STACKS (SG_ADDRESS_SANITIZER || SG_THREAD_SANITIZER)

namespace saguaro::platform {
class spin_lock;
}

namespace saguaro::stacks {

struct stack;
struct context;

// What the sanitizer knows about a flow that was left, and of a pooled stack.
struct annotation {
    const void *bottom = nullptr; // its stack
    std::size_t size = 0;
    void *fake_stack = nullptr; // AddressSanitizer's copies of its frames
    void *fiber = nullptr;      // ThreadSanitizer's idea of the flow
    bool is_left = false;       // and no thread has gone on with it yet
};

// leave_to, announced.
[[noreturn]] void leave_announced(stack &dying, context &to) noexcept;

void announce_no_frames(stack &s);

// The stack was mapped. LeakSanitizer then takes what its frames point to for used.
void introduce_stack(stack &s);

// The stack is about to be unmapped, and nothing runs on it.
void forget_stack(stack &s);

// What is known of each context lies apart from it in the ordinary library, under this lock, a
// leaf. For who forks.
platform::spin_lock &annotations_lock();

// There are no stacks any more, and the library may be about to be unloaded.
void forget_annotations();

// Nothing runs on the stack any more, and nothing on it was destroyed.
inline void forget_frames(stack &s) {
    if (platform::is_watched()) [[unlikely]]
        announce_no_frames(s);
}

} // namespace saguaro::stacks
