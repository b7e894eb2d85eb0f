// SPDX-License-Identifier: MIT
// Announcements of stack switches to AddressSanitizer and ThreadSanitizer. In a build without them
// there is nothing here.
#pragma once

#include "saguaro/detail/sanitizers.h"

#include <cstddef>

// Whether switches are annotated: then they are C++ functions around the assembly.
#define SG_ANNOTATE_STACKS (SG_ADDRESS_SANITIZER || SG_THREAD_SANITIZER)

#if SG_ANNOTATE_STACKS

namespace saguaro::stacks {

struct stack;

// What the sanitizer knows about a flow that was left.
struct annotation {
    void *fake_stack = nullptr;   // AddressSanitizer's copies of the flow's frames
    const void *bottom = nullptr; // lowest address of the flow's stack
    std::size_t size = 0;
    void *fiber = nullptr; // ThreadSanitizer's idea of the flow
};

// Forgets a stack that is about to be unmapped and on which nothing runs.
void forget_stack(stack &s);

// Nothing runs on the stack any more, and nothing on it was destroyed.
void forget_frames(stack &s);

} // namespace saguaro::stacks

#else

namespace saguaro::stacks {

struct stack;

inline void forget_stack(stack &) {}
inline void forget_frames(stack &) {}

} // namespace saguaro::stacks

#endif
