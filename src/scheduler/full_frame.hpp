// SPDX-License-Identifier: MIT
// Full frames: what becomes of a C function's frame that was taken or that has to wait.
//
// A full frame is the copy of the frame, the join of the children that were spawned from it, and a
// link to who waits for its end. First come, first to wait: the end of a function and the save of
// its caller meet at the link, with one atomic exchange each. README.md has the protocol.
#pragma once

#include "scheduler/join.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace saguaro::scheduler {

struct full_frame;

// Who waits for the end of a function, and what to do then.
struct waiter {
    // The function has come to its end: its result is at `result`, its strand's views are the
    // worker's private ones. Leaves what runs next, if anything, in w.next.
    void (*proceed)(worker &w, waiter &self, const void *result);
};

// The child's strand of a spawn that was taken: waits for the child if the child itself has become
// a full frame.
struct spawned_child : child, waiter {
    spawned_child(full_frame &parent, void *to, std::size_t bytes);

    full_frame &frame;              // the parent
    void *result_to;                // in the parent's frame
    std::size_t result_bytes;       // 0: none
    spawned_child *older = nullptr; // in deque::stubs
};

struct alignas(alignof(std::max_align_t)) full_frame {
    // Allocates for a frame of `site`, and copies `frame`. Null: no memory.
    static full_frame *copy_of(const sg_frame *frame);
    static void free(full_frame *f);

    // The full frame of a slow clone's frame.
    static full_frame &of(sg_frame *frame);

    sg_frame *frame() { return reinterpret_cast<sg_frame *>(this + 1); }

    // Somebody waits for the end from now on. False: the end has been, the waiter must not wait:
    // the result is at frame(), the views are end_views.
    bool wait(waiter &w);

    // The function has come to its end with `result`; the worker's private views are its strand's.
    // Frees the frame, now or when its end is noticed.
    void finish(worker &w, const void *result);

    join children;
    std::uint32_t return_size = 0; // the site's: constant, while the frame changes and is replaced
    // Null: nobody waits yet; `ended`: the end has been; else who waits.
    std::atomic<waiter *> link{nullptr};
    hyperobjects::view_set end_views; // once ended
    // For a frame that waits for a callee.
    struct : waiter {
        full_frame *self;
    } call;
};

// What runs a full frame's slow clone, as the first function on a stack.
void resume_full_frame(void *argument);

} // namespace saguaro::scheduler
