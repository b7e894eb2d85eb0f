// SPDX-License-Identifier: MIT
// Making full frames at a steal, and meeting at their ends.
#include "scheduler/full_frame.hpp"

#include "platform/sanitizer.hpp"
#include "saguaro/cilk_abi.h"
#include "scheduler/aborts.hpp"
#include "scheduler/worker.hpp"

#include <algorithm>
#include <cstring>
#include <mutex>

namespace saguaro::scheduler {

namespace {

waiter ended_mark{nullptr};
waiter *const ended = &ended_mark;

void copy_result(void *to, const void *from, std::size_t bytes) {
    if (bytes != 0)
        std::memcpy(to, from, bytes);
}

work as_work(full_frame &f) {
    return {.suspended = nullptr, .body = resume_full_frame, .argument = &f};
}

// A child that was itself taken has come to its end: its parent may be waiting for it.
void end_spawned_child(worker &w, waiter &self, const void *result) {
    spawned_child &c = static_cast<spawned_child &>(self);
    if (result != no_result && !was_aborted(c)) {
        if (c.for_inlet != nullptr)
            c.frame.inlets.deliver(std::move(c.for_inlet), result);
        else
            copy_result(c.result_to, result, c.result_bytes);
    }
    arrive_and_continue(w, *c.parent, c);
}

// A callee has come to its end: its caller goes on, in the same strand.
void continue_caller(worker &w, waiter &self, const void *result) {
    full_frame &f = *static_cast<decltype(full_frame::call) &>(self).self;
    f.inlets.close();
    const sg_site &site = *f.frame()->site;
    // The callee was aborted: so is the caller, which will find out when it goes on.
    if (result != no_result)
        copy_result(reinterpret_cast<char *>(f.frame()) + site.result_offset, result,
                    site.result_size);
    w.next = as_work(f);
}

// The blocks of the thief's steal_memory.
enum block_of : unsigned { for_child, for_parcel, for_frame };

std::size_t parcel_bytes(const sg_site &site) {
    return site.inlet != nullptr ? parcel::bytes_of(site) : 0;
}

// The thief goes on with `f` behind the spawn; the child that the victim runs becomes a strand.
take_result take_from(full_frame &f, const theft &theft, work &stolen) {
    deque &victim = theft.victim;
    steal_memory &spare_memory = theft.thief.spare_memory;
    // Relaxed: written under the lock.
    auto *const c = new (spare_memory.take(for_child))
        spawned_child(f, victim.head.load(std::memory_order_relaxed));
    if (f.frame()->site->inlet != nullptr) {
        c->for_inlet.reset(parcel::make(spare_memory.take(for_parcel), f.frame(), c->birth));
        f.inlets.use();
    }
    f.child_aborted = false; // from now on the child itself knows
    c->older = victim.stubs;
    victim.stubs = c;
    f.children.add_before_owner(*c);
    platform::hand_over(c); // to the child, which finds it in `stubs`
    stolen = as_work(f);
    return take_result::taken;
}

take_result take_spawned(const theft &theft, sg_frame *frame, work &stolen) {
    const sg_site &site = *frame->site;
    steal_memory &spare_memory = theft.thief.spare_memory;
    if (!spare_memory.have(sizeof(spawned_child), parcel_bytes(site), full_frame::bytes_of(site)))
        return take_result::lacking;
    full_frame *const f = full_frame::copy_to(spare_memory.take(for_frame), frame);
    counters::bump(theft.thief.count.full_frames);
    f->strand = strand_at(theft.victim, theft.victim.head.load(std::memory_order_relaxed));
    return take_from(*f, theft, stolen);
}

take_result take_full(const theft &theft, sg_frame *frame, work &stolen) {
    full_frame &f = full_frame::of(frame);
    if (f.inlets_run)
        return take_result::refused;
    if (!theft.thief.spare_memory.have(sizeof(spawned_child), parcel_bytes(*frame->site)))
        return take_result::lacking;
    theft.victim.origin = nullptr;
    return take_from(f, theft, stolen);
}

} // namespace

const void *const no_result = &ended_mark;

spawned_child::spawned_child(full_frame &parent_frame, sg_frame **at)
    : child(parent_frame.children), waiter{end_spawned_child}, frame(parent_frame), slot(at) {
    const sg_site &site = *frame.frame()->site;
    result_to = reinterpret_cast<char *>(frame.frame()) + site.result_offset;
    result_bytes = site.result_size;
    // Relaxed: neither the function nor an inlet of it runs.
    birth = frame.aborts.load(std::memory_order_relaxed) - (frame.child_aborted ? 1 : 0);
}

std::size_t full_frame::bytes_of(const sg_site &site) {
    // When the function has ended, the frame's place holds its result.
    return sizeof(full_frame) + std::max(site.frame_size, site.return_size);
}

full_frame *full_frame::copy_of(const sg_frame *frame) {
    void *const memory = numa::take_near(bytes_of(*frame->site));
    return memory == nullptr ? nullptr : copy_to(memory, frame);
}

full_frame *full_frame::copy_to(void *memory, const sg_frame *frame) {
    const sg_site &site = *frame->site;
    full_frame *const f = new (memory) full_frame;
    f->call.proceed = continue_caller;
    f->call.self = f;
    f->return_size = site.return_size;
    f->children.owner_continues = as_work(*f);
    std::memcpy(static_cast<void *>(f->frame()), frame, site.saved_size);
    return f;
}

full_frame &full_frame::of(sg_frame *frame) {
    return *(reinterpret_cast<full_frame *>(frame) - 1);
}

bool full_frame::wait(waiter &w) {
    platform::hand_over(this);
    // Release: what the waiter saved is visible to the end; acquire: the result and the views are
    // visible if the end was first. Pairs with the exchange in `finish`.
    const bool waits = link.exchange(&w, std::memory_order_acq_rel) != ended;
    platform::take_over(this);
    return waits;
}

void full_frame::finish(worker &w, const void *result) {
    if (aborted)
        result = no_result;
    // Acquire: pairs with `wait`; the waiter's saved state is visible.
    waiter *who = link.load(std::memory_order_acquire);
    if (who == nullptr) {
        end_views = w.views.take();
        if (return_size != 0 && !aborted)
            // The result may lie in the frame itself.
            std::memmove(static_cast<void *>(frame()), result, return_size);
        // Release: what was just written is visible to the one who finds the mark; acquire: as
        // above if somebody was quicker.
        platform::hand_over(this);
        who = link.exchange(ended, std::memory_order_acq_rel);
        if (who == nullptr)
            return;
        w.views.put(end_views);
        result = end_result();
    }
    platform::take_over(this);
    who->proceed(w, *who, result);
    delete this;
}

void resume_full_frame(void *argument) {
    full_frame &f = *static_cast<full_frame *>(argument);
    deque &d = *current_deque();
    {
        const std::lock_guard guard(d.lock);
        d.origin = &f;
    }
    f.inlets.run_on(d);
    if (goes_to_cleanup(f))
        return;
    do {
        f.frame()->site->code(&d, d.slots(), f.frame());
        // After a slow clone's end the frame is no more. Where the flow was aborted it is, unless
        // it was taken, which ends that state.
    } while (is_unwinding(d) && goes_on_without_child(f, d));
}

} // namespace saguaro::scheduler

const sg_frame_kind sg_spawned_frames{"spawned", saguaro::scheduler::take_spawned,
                                      saguaro::scheduler::resume_full_frame};
const sg_frame_kind sg_full_frames{"full", saguaro::scheduler::take_full,
                                   saguaro::scheduler::resume_full_frame};
