// SPDX-License-Identifier: MIT
// What a piece of work belongs to: the root that a thread has entered with, and roots inside that.
#pragma once

#include <atomic>

namespace saguaro::scheduler {

struct root;

// A root that a worker's flow has begun inside another one, by `isolate`. Its memory is not given
// back before the runtime ends: thieves that come late look at what it says of `outer`.
struct nesting {
    // The one around it; null: a thread's own root is. Relaxed: only holders of a frame of its work
    // rely on it; for others it is a hint.
    std::atomic<const nesting *> outer{nullptr};
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
