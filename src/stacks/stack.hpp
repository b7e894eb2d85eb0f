// SPDX-License-Identifier: MIT
// One native stack of the pool, with its descriptor and the user's memory in one mapping.
//
//     low addresses                                                            high addresses
//     +----------------+---------------------------------+--------------+------------------+
//     | guard, 64 KB   |             stack               | struct stack | extra, untouched |
//     | no access      |   grows down  <-- first frames  |              | until used  -->  |
//     +----------------+---------------------------------+--------------+------------------+
//                      low                               high(), this   extra()
//
// The first frames, the descriptor and the beginning of `extra` share one page, so that a stack
// that is used a little costs one page. A frame of more than 64 KB may step over the guard
// without touching it: code with such frames is compiled with -fstack-clash-protection.
#pragma once

#include "stacks/context.hpp"

#include <cstddef>

namespace saguaro::stacks {

// Bytes without access below each stack.
inline constexpr std::size_t guard_bytes = 64 * 1024;

// The descriptor. Who may touch it when: README.md.
struct alignas(64) stack {
    context ctx;                  // where the flow on this stack was left
    stack *next = nullptr;        // for whoever holds the stack: pools, lists of parked stacks
    char *low = nullptr;          // the lowest byte that frames may use
    stack *next_mapped = nullptr; // an older stack of the same pool; constant once published
    unsigned valgrind_id = 0;     // valgrind's name for it
#if SG_ANNOTATE_STACKS
    void *fiber = nullptr; // ThreadSanitizer's, made when the stack is first started on
#endif

    // The first byte above the frames: the stack pointer begins here.
    char *high() { return reinterpret_cast<char *>(this); }

    // The user's memory, aligned to 64 bytes. Zeros when the stack is new, afterwards as the user
    // left it.
    void *extra() { return this + 1; }
};

} // namespace saguaro::stacks
