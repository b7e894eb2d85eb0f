// SPDX-License-Identifier: MIT
// The C entry points: what clones call off their fast path.
//
// When a clone finds its frame taken, the activation has become a full frame that lives elsewhere,
// and the native stack unwinds by returns: `incomplete` tells each caller what the activation that
// just returned has become. A caller that was to spawn it finds its own frame taken, too; a caller
// that called it saves itself; the first function on the stack, or a plain C function, ends it.
#include "saguaro/cilk_abi.h"

#include "platform/sanitizer.hpp"
#include "scheduler/aborts.hpp"
#include "scheduler/full_frame.hpp"
#include "scheduler/observer.hpp"
#include "scheduler/steal.hpp"
#include "scheduler/worker.hpp"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <mutex>

namespace saguaro::cilk {

namespace {

using namespace scheduler;

full_frame *incomplete(const deque &d) {
    return static_cast<full_frame *>(d.incomplete);
}

// The newest child whose parent was taken from this stack.
spawned_child &pop_stub(deque &d) {
    const std::lock_guard guard(d.lock);
    spawned_child &c = *d.stubs;
    d.stubs = c.older;
    platform::take_over(&c);
    return c;
}

// The callee `f` was found ended: its strand goes on here with its views; its result is copied.
// False: it was aborted, and so is who called it.
bool take_over(worker &w, full_frame &f, void *result) {
    const bool whole = !f.aborted;
    if (f.return_size != 0 && whole)
        std::memcpy(result, f.frame(), f.return_size);
    w.views.put(f.end_views);
    delete &f;
    return whole;
}

// The activation that has just been returned to goes on by itself. Its first slot is the first free
// one: it has popped what it pushed, and its callers have not popped theirs.
void go_on(deque &d) {
    d.incomplete = nullptr;
    sg_frame **const tail = d.find_tail();
    const std::lock_guard guard(d.lock);
    d.restart_at(tail);
}

// A pop has asked and its frame is there: the inlets of the slow clone at the bottom may run, and
// the flow may have been aborted. True: it is to unwind.
bool looks_around(deque &d, sg_frame **tail) {
    run_inlets_of_origin(d);
    return begins_to_unwind(d, tail);
}

// What a parked caller that is plain C waits with.
struct parked_caller : waiter {
    full_frame *callee;
    stacks::stack *stack;
    void *result;
    std::size_t bytes;
};

void continue_parked(worker &w, waiter &self, const void *result) {
    parked_caller &caller = static_cast<parked_caller &>(self);
    if (caller.bytes != 0)
        std::memcpy(caller.result, result, caller.bytes);
    w.next = {.suspended = caller.stack};
}

void wait_parked(worker &w, void *argument) {
    parked_caller &caller = *static_cast<parked_caller *>(argument);
    full_frame &callee = *caller.callee;
    if (callee.wait(caller))
        return;
    take_over(w, callee, caller.result);
    w.next = {.suspended = caller.stack};
}

} // namespace

} // namespace saguaro::cilk

using namespace saguaro::cilk;

extern "C" {

int sg_is_stolen(sg_deque *deque_, sg_frame **tail, const void *result) {
    deque &d = *static_cast<deque *>(deque_);
    if (spawn_observer *const o = spawn_observer::now()) {
        o->c_pop();
        if (spawn_observer::is_only_heard(d, tail))
            return 0;
    }
    if (!frame_is_gone(d, tail))
        return is_unwinding(d) || looks_around(d, tail) ? SG_ABORTED : 0;
    worker &w = *current_worker();
    spawned_child &c = pop_stub(d);
    full_frame &parent = c.frame;
    if (is_unwinding(d)) {
        end_unwinding(d);
        c.proceed(w, c, no_result);
    } else if (full_frame *const child = incomplete(d); child == nullptr) {
        c.proceed(w, c, result);
    } else if (!child->wait(c)) {
        // The child was taken on its way and has come to its end elsewhere. What is called now, a
        // monoid's reduce, runs on a stack where nothing is unfinished.
        d.incomplete = nullptr;
        w.views.put(child->end_views);
        c.proceed(w, c, child->end_result());
        delete child;
    }
    d.incomplete = &parent;
    return 1;
}

int sg_suspend(sg_deque *deque_, sg_frame *frame, void *result) {
    deque &d = *static_cast<deque *>(deque_);
    if (is_unwinding(d))
        return SG_ABORTED;
    worker &w = *current_worker();
    full_frame &callee = *incomplete(d);
    full_frame *caller;
    const bool is_full = frame->site->kind == &sg_full_frames;
    if (is_full) {
        caller = &full_frame::of(frame);
        caller->inlets.open();
    } else {
        caller = full_frame::copy_of(frame);
        counters::bump(w.count.full_frames);
        if (caller == nullptr) {
            std::fprintf(stderr, "saguaro: no memory to save a frame\n");
            std::_Exit(1);
        }
        caller->strand = callee.strand;
    }
    if (callee.wait(caller->call)) {
        d.incomplete = caller;
        return 1;
    }
    if (is_full)
        caller->inlets.close();
    else
        delete caller;
    const bool whole = take_over(w, callee, result);
    go_on(d);
    if (whole)
        return 0;
    begin_unwinding(d);
    return SG_ABORTED;
}

int sg_sync(sg_deque *, sg_frame *frame, const sg_site *site) {
    full_frame &f = full_frame::of(frame);
    // Where it goes on must be in place before the last child can see that the owner has arrived.
    frame->site = site;
    worker &w = *current_worker();
    f.inlets.open();
    if (!f.children.arrive(w, f.children.owner))
        return 1;
    f.inlets.close();
    // A child may have ended without a result because what is above has been aborted. The child's
    // arrival orders the number that says so.
    return goes_to_cleanup(f);
}

void sg_return(sg_deque *, sg_frame *frame, const void *result) {
    full_frame::of(frame).finish(*current_worker(), result);
}

void sg_poll(sg_frame *frame) {
    full_frame::of(frame).inlets.run_waiting();
}

void sg_abort(sg_frame *frame) {
    abort_children(full_frame::of(frame));
}

int sg_synched(sg_frame *frame) {
    full_frame &f = full_frame::of(frame);
    // In this order: a child leaves its parcel before it arrives.
    return f.children.only_owner_is_out() && !f.inlets.any_waits() && !is_aborted(f.strand);
}

sg_deque *sg_enter(sg_frame ***tail) {
    if (current_worker() == nullptr)
        return nullptr;
    deque *const d = current_deque();
    *tail = d->find_tail();
    d->entries.enter(*tail);
    return d;
}

void sg_await(sg_deque *deque_, void *result) {
    deque &d = *static_cast<deque *>(deque_);
    parked_caller caller;
    caller.proceed = continue_parked;
    caller.callee = incomplete(d);
    caller.stack = d.home();
    caller.result = result;
    caller.bytes = caller.callee->return_size;
    go_on(d);
    park(wait_parked, &caller);
}
}
