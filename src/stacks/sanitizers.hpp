// SPDX-License-Identifier: MIT
// What AddressSanitizer and ThreadSanitizer must be told about a switch of stacks. In a build
// without them there is nothing here.
#pragma once

#include <cstddef>

#if defined(__SANITIZE_ADDRESS__)
#define SG_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define SG_ASAN 1
#endif
#endif

#if defined(__SANITIZE_THREAD__)
#define SG_TSAN 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define SG_TSAN 1
#endif
#endif

#ifndef SG_ASAN
#define SG_ASAN 0
#endif
#ifndef SG_TSAN
#define SG_TSAN 0
#endif

// Whether switches are annotated: then they are C++ functions around the assembly.
#define SG_ANNOTATE_STACKS (SG_ASAN || SG_TSAN)

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

} // namespace saguaro::stacks

#endif
