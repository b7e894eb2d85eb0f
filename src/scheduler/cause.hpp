// SPDX-License-Identifier: MIT
// What a piece of work belongs to: the root that a thread has entered with, and roots inside that.
#pragma once

#include <atomic>

struct sg_arena;

namespace saguaro::scheduler {

struct root;

// A root that a worker's flow has begun inside another one, by `isolate` or in an arena, or one in
// an arena with which a thread has entered. Its memory is not given back before the runtime ends:
// thieves that come late look at what it says.
struct nesting {
    // The one around it; null: a thread's own root is. Relaxed: only holders of a frame of its work
    // rely on it; for others it is a hint.
    std::atomic<const nesting *> outer{nullptr};
    // Whose places its work takes; null: it is in no arena. Relaxed, as before.
    std::atomic<sg_arena *> in{nullptr};
    nesting *next = nullptr; // in the list of those that are free
};

struct cause {
    const root *entered = nullptr;   // by a thread from outside
    const nesting *within = nullptr; // the innermost one inside; null: none
};

// Whether a thread that has entered with `mine` may take work of `whose`, of its root or of one
// inside that: while its root is not done, the thread holds what its caller holds, and waits for no
// other. Null: a thread of the runtime's, which takes any. Exact while something of such work is in
// the caller's hand.
bool works_for(const root *mine, const cause &whose);

} // namespace saguaro::scheduler
