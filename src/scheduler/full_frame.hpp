// SPDX-License-Identifier: MIT
// Full frames: what becomes of a C function's frame that was taken or that has to wait.
//
// A full frame is the copy of the frame, the join of the children that were spawned from it, and a
// link to who waits for its end. First come, first to wait: the end of a function and the save of
// its caller meet at the link, with one atomic exchange each. README.md has the protocol.
#pragma once

#include "scheduler/inlets.hpp"
#include "scheduler/join.hpp"
#include "scheduler/steal_memory.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace saguaro::scheduler {

struct full_frame;

// In place of a result's address: the function was aborted.
extern const void *const no_result;

// Who waits for the end of a function, and what to do then.
struct waiter {
    // The function has come to its end: its result is at `result`, or it was aborted and that is
    // `no_result`; its strand's views are the worker's private ones. Leaves what runs next, if
    // anything, in w.next.
    void (*proceed)(worker &w, waiter &self, const void *result);
};

// The child's strand of a spawn that was taken: waits for the child if the child itself has become
// a full frame.
struct spawned_child : child, waiter, in_steal_memory {
    spawned_child(full_frame &parent, sg_frame **at);

    full_frame &frame;        // the parent
    sg_frame **const slot;    // where its frame was when it was taken
    void *result_to;          // in the parent's frame
    std::size_t result_bytes; // 0: none
    // How often the parent had aborted its children when this one was spawned.
    std::uint32_t birth;
    parcel_ptr for_inlet;           // null: the result goes to the parent's frame
    spawned_child *older = nullptr; // in deque::stubs
};

struct alignas(alignof(std::max_align_t)) full_frame : in_steal_memory {
    // The bytes of the full frame of a function whose frames have `site`.
    static std::size_t bytes_of(const sg_site &site);
    // Copies `frame` to `memory`, which is bytes_of its site and from take_near.
    static full_frame *copy_to(void *memory, const sg_frame *frame);
    // The same in memory that it gets. Null: there is none.
    static full_frame *copy_of(const sg_frame *frame);

    // The full frame of a slow clone's frame.
    static full_frame &of(sg_frame *frame);

    sg_frame *frame() { return reinterpret_cast<sg_frame *>(this + 1); }

    // Somebody waits for the end from now on. False: the end has been, the waiter must not wait:
    // the result is at frame(), the views are end_views.
    bool wait(waiter &w);

    // The function has come to its end with `result`, unless it was aborted; the worker's private
    // views are its strand's. Frees the frame, now or when its end is noticed.
    void finish(worker &w, const void *result);

    // Where the result is, once it has ended without anybody waiting.
    const void *end_result() { return aborted ? no_result : frame(); }

    join children;
    std::uint32_t return_size = 0; // the site's: constant, while the frame changes and is replaced
    // Null: nobody waits yet; `ended`: the end has been; else who waits.
    std::atomic<waiter *> link{nullptr};
    hyperobjects::view_set end_views; // once ended
    // For a frame that waits for a callee.
    struct : waiter {
        full_frame *self;
    } call;

    // What follows is for inlets and aborts: inlets.md.

    inlet_queue inlets{*this};
    // The child in whose strand the function runs: it outlives this. Null: in none that could be
    // aborted. Constant once others know the frame.
    spawned_child *strand = nullptr;
    // How often the function has aborted its children. Written by the function and its inlets.
    std::atomic<std::uint32_t> aborts{0};
    // Under the lock of the deque whose origin this is: its inlets run in the child that it has
    // spawned, and it must not be taken meanwhile; they have aborted that child.
    bool inlets_run = false;
    bool child_aborted = false;
    // The function was aborted, and has gone to its cleanup site.
    bool aborted = false;
};

// What runs a full frame's slow clone, as the first function on a stack.
void resume_full_frame(void *argument);

} // namespace saguaro::scheduler
