// SPDX-License-Identifier: MIT
// Unwinding the frames of aborted strands on a deque, down to where their abort began.
#include "scheduler/aborts.hpp"

#include "platform/fence.hpp"
#include "saguaro/cilk_abi.h"
#include "scheduler/full_frame.hpp"
#include "scheduler/runtime.hpp"
#include "scheduler/worker.hpp"

#include <mutex>

namespace saguaro::scheduler {

namespace {

// deque::incomplete while clones return because they were aborted.
char unwinding_mark;

// What a function without blocks does at its cleanup site.
void end_aborted(sg_deque *, sg_frame **, sg_frame *frame) {
    full_frame::of(frame).finish(*current_worker(), no_result);
}

const sg_site nothing_to_free{&sg_full_frames, end_aborted, 0, 0, 0, 0, 0, 0, 0, 0,
                              nullptr,         nullptr};

// The child in whose strand the newest frame on `d` runs, whatever is between.
spawned_child *newest_strand(const deque &d) {
    if (d.stubs != nullptr)
        return d.stubs;
    return d.origin != nullptr ? d.origin->strand : nullptr;
}

// Whether inlets wait that a pop on `d` shall run. The lock is held: a parcel is put down before
// its child takes the lock to ask, so it is seen here, or its request comes after this.
bool inlets_wait(const deque &d) {
    return d.origin != nullptr && d.origin->inlets.any_waits();
}

void make_unwind(deque &d) {
    d.incomplete = &unwinding_mark;
    d.keep_asking();
}

} // namespace

bool was_aborted(const spawned_child &c) {
    // Relaxed: only the number counts; who sees it late looks again.
    return c.birth != c.frame.aborts.load(std::memory_order_relaxed);
}

bool is_aborted(const spawned_child *strand) {
    for (; strand != nullptr; strand = strand->frame.strand)
        if (was_aborted(*strand))
            return true;
    return false;
}

spawned_child *strand_at(const deque &d, sg_frame **slot) {
    sg_frame **const entry = d.entries.at_or_below(slot);
    if (entry == nullptr || (d.stubs != nullptr && d.stubs->slot >= entry))
        return newest_strand(d);
    return nullptr;
}

bool begins_to_unwind(deque &d, sg_frame **slot) {
    d.entries.leave_above(slot);
    const std::lock_guard guard(d.lock);
    const bool child_aborted = d.origin != nullptr && d.origin->child_aborted;
    // An entry that began at slot 0 has ended: the origin's own frame is there.
    sg_frame **const entry = d.entries.at_or_below(slot);
    if ((child_aborted && (entry == nullptr || entry == d.slots())) ||
        is_aborted(strand_at(d, slot))) {
        make_unwind(d);
        return true;
    }
    // If an entry is between, it is for the first pop below it. A parcel that came after the look
    // at them, or while the origin is in a call, is for the next pop.
    if (!child_aborted && !inlets_wait(d) && !is_aborted(newest_strand(d)))
        d.rest_again();
    return false;
}

void begin_unwinding(deque &d) {
    const std::lock_guard guard(d.lock);
    make_unwind(d);
}

void end_unwinding(deque &d) {
    d.incomplete = nullptr;
    const std::lock_guard guard(d.lock);
    // Else it is for the next pop, below: a parcel may have come meanwhile.
    if (!inlets_wait(d) && !is_aborted(newest_strand(d)))
        d.rest_again();
}

bool is_unwinding(const deque &d) {
    return d.incomplete == &unwinding_mark;
}

bool goes_on_without_child(full_frame &f, deque &d) {
    end_unwinding(d);
    if (goes_to_cleanup(f))
        return false;
    {
        const std::lock_guard guard(d.lock);
        f.child_aborted = false;
    }
    // What came while the child unwound.
    f.inlets.run_waiting();
    return true;
}

bool goes_to_cleanup(full_frame &f) {
    if (f.aborted || !is_aborted(f.strand))
        return false;
    const sg_site *const cleanup = f.frame()->site->cleanup;
    f.aborted = true;
    f.frame()->site = cleanup != nullptr ? cleanup : &nothing_to_free;
    f.inlets.open();
    arrive_and_continue(*current_worker(), f.children, f.children.owner);
    return true;
}

void abort_children(full_frame &f) {
    // Relaxed: the fence below orders it for those who are made to ask, and for who goes on with a
    // frame meanwhile: it makes its deque known, then looks.
    f.aborts.fetch_add(1, std::memory_order_relaxed);
    if (f.children.only_owner_is_out())
        return;
    platform::heavy_fence();
    current_worker()->rt.any_worker([](const worker &w) {
        deque *const d = w.active();
        if (d == nullptr)
            return false;
        const std::lock_guard guard(d->lock);
        // Others do not run on behalf of a C function that was taken.
        if (d->origin != nullptr || d->stubs != nullptr)
            d->keep_asking();
        return false;
    });
}

} // namespace saguaro::scheduler
