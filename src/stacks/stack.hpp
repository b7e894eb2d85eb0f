// SPDX-License-Identifier: MIT
// One native stack of the pool, with its descriptor and the user's memory in one block: shape.hpp
// has the picture. A frame larger than the guard may step over it without touching it: code with
// such frames is compiled with -fstack-clash-protection.
#pragma once

#include "stacks/context.hpp"
#include "stacks/shape.hpp"

#include <cstddef>

namespace saguaro::stacks {

// What is left for the first frames in the page of the descriptor. Not the same for all stacks:
// some multiple of 64 bytes more, in turn, so that the first frames of many stacks do not all
// compete for the same few sets of the first-level cache (64 sets of 64 bytes on most processors).
inline constexpr std::size_t first_frames_bytes = 1536;
inline constexpr std::size_t color_bytes = 64;
inline constexpr std::size_t colors = 16;

class pool;
struct slab;

// The descriptor. Who may touch it when: README.md.
struct alignas(64) stack {
    context ctx;                  // where the flow on this stack was left
    stack *next = nullptr;        // for whoever holds the stack: lists; itself while a flow is left
    stack **link = nullptr;       // what points to it in a list of the group's
    char *low = nullptr;          // the lowest byte that frames may use
    stack *next_mapped = nullptr; // an older stack of the same slab; constant once published
    slab *home = nullptr;         // that slab
    pool *holder = nullptr;       // the user that has it, null in the group; under the group's lock
    unsigned node = 0;            // the index of the node that it is on; its holder's, or locked
    unsigned valgrind_id = 0;     // valgrind's name for it

    // The first byte above the frames: the stack pointer begins here.
    char *high() { return reinterpret_cast<char *>(this); }

    // The user's memory, aligned to 64 bytes. Zeros when the stack is new, afterwards as the user
    // left it; what the shape does not keep may be zeros again.
    void *extra() { return this + 1; }
};

} // namespace saguaro::stacks
