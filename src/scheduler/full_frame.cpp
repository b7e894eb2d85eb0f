// SPDX-License-Identifier: MIT
#include "scheduler/full_frame.hpp"

#include "saguaro/cilk_abi.h"
#include "scheduler/worker.hpp"

#include <algorithm>
#include <cstring>
#include <new>

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
    copy_result(c.result_to, result, c.result_bytes);
    arrive_and_continue(w, c.parent, c);
}

// A callee has come to its end: its caller goes on, in the same strand.
void continue_caller(worker &w, waiter &self, const void *result) {
    full_frame &f = *static_cast<decltype(full_frame::call) &>(self).self;
    const sg_site &site = *f.frame()->site;
    copy_result(reinterpret_cast<char *>(f.frame()) + site.result_offset, result, site.result_size);
    w.next = as_work(f);
}

// The thief goes on with `f` behind the spawn; the child that the victim runs becomes a strand.
take_result take_from(full_frame &f, deque &victim, work &loot) {
    const sg_site &site = *f.frame()->site;
    auto *const c = new (std::nothrow) spawned_child(
        f, reinterpret_cast<char *>(f.frame()) + site.result_offset, site.result_size);
    if (c == nullptr)
        return take_result::refused;
    c->older = victim.stubs;
    victim.stubs = c;
    f.children.add_before_owner(*c);
    loot = as_work(f);
    return take_result::taken;
}

take_result take_spawned(worker &thief, deque &victim, sg_frame *frame, work &loot) {
    full_frame *const f = full_frame::copy_of(frame);
    if (f == nullptr)
        return take_result::refused;
    counters::bump(thief.count.full_frames);
    const take_result result = take_from(*f, victim, loot);
    if (result == take_result::refused)
        full_frame::free(f);
    return result;
}

take_result take_full(worker &, deque &victim, sg_frame *frame, work &loot) {
    return take_from(full_frame::of(frame), victim, loot);
}

} // namespace

spawned_child::spawned_child(full_frame &parent_frame, void *to, std::size_t bytes)
    : child(parent_frame.children), waiter{end_spawned_child}, frame(parent_frame), result_to(to),
      result_bytes(bytes) {}

full_frame *full_frame::copy_of(const sg_frame *frame) {
    const sg_site &site = *frame->site;
    // When the function has ended, the frame's place holds its result.
    const std::size_t bytes = std::max(site.frame_size, site.return_size);
    void *const memory = ::operator new(sizeof(full_frame) + bytes, std::nothrow);
    if (memory == nullptr)
        return nullptr;
    full_frame *const f = new (memory) full_frame;
    f->call.proceed = continue_caller;
    f->call.self = f;
    f->return_size = site.return_size;
    f->children.owner_continues = as_work(*f);
    std::memcpy(static_cast<void *>(f->frame()), frame, site.saved_size);
    return f;
}

void full_frame::free(full_frame *f) {
    f->~full_frame();
    ::operator delete(f);
}

full_frame &full_frame::of(sg_frame *frame) {
    return *(reinterpret_cast<full_frame *>(frame) - 1);
}

bool full_frame::wait(waiter &w) {
    // Release: what the waiter saved is visible to the end; acquire: the result and the views are
    // visible if the end was first. Pairs with the exchange in `finish`.
    return link.exchange(&w, std::memory_order_acq_rel) != ended;
}

void full_frame::finish(worker &w, const void *result) {
    // Acquire: pairs with `wait`; the waiter's saved state is visible.
    waiter *who = link.load(std::memory_order_acquire);
    if (who == nullptr) {
        end_views = w.views.take();
        if (return_size != 0)
            // The result may lie in the frame itself.
            std::memmove(static_cast<void *>(frame()), result, return_size);
        // Release: what was just written is visible to the one who finds the mark; acquire: as
        // above if somebody was quicker.
        who = link.exchange(ended, std::memory_order_acq_rel);
        if (who == nullptr)
            return;
        w.views.put(end_views);
        result = frame();
    }
    who->proceed(w, *who, result);
    free(this);
}

void resume_full_frame(void *argument) {
    full_frame &f = *static_cast<full_frame *>(argument);
    deque *const d = current_deque();
    f.frame()->site->code(d, d->slots(), f.frame());
}

} // namespace saguaro::scheduler

const sg_frame_kind sg_spawned_frames{"spawned", saguaro::scheduler::take_spawned,
                                      saguaro::scheduler::resume_full_frame};
const sg_frame_kind sg_full_frames{"full", saguaro::scheduler::take_full,
                                   saguaro::scheduler::resume_full_frame};
