// SPDX-License-Identifier: MIT
// The Master: everything in this file happens under the master lock, one thing after the other, and
// that order is virtual time.
#include "vms/master.hpp"
#include "platform/exception_text.hpp"
#include "platform/forced_unwind.hpp"
#include "saguaro/vms.h"
#include "vms/instance.hpp"

#include <algorithm>
#include <cerrno>
#include <string>
#include <utility>

namespace saguaro::vms {

namespace {

const char *name_of(const vp &v) {
    if (v.number == 0)
        return "the outside";
    switch (v.state) {
    case vp_state::blocked:
        return "blocked";
    case vp_state::ready:
        return "ready already";
    case vp_state::animated:
        return "animated already";
    case vp_state::dissipated:
        return "dissipated";
    }
    return "";
}

// The ready queue of a place; that of no place for cores that there are not.
ready_queue &queue_of(instance &in, unsigned place) {
    return place < in.core_count ? in.cores[place]->ready : in.anywhere;
}

// Its stack, if it has one, is abandoned: who arrives next gives it back, because the one who
// dissipates may still run on it.
void dissipate(instance &in, vp &v) {
    if (v.stack != nullptr) {
        in.has_rest = true;
        v.stack->next = in.abandoned;
        in.abandoned = std::exchange(v.stack, nullptr);
    }
    v.state = vp_state::dissipated;
    ++in.time;
    if (in.trace) [[unlikely]]
        in.trace->dissipated(in.time, v);
    --in.live;
    in.vps.give(v);
}

// The choice of a plug-in's own scheduler, if it is one.
[[gnu::noinline]] vp *chosen_by_plugin(instance &in, core &c) {
    sg_vp *chosen = nullptr;
    try {
        platform::call_until_return("scheduler",
                                    [&] { chosen = in.plugin.schedule(in.state, &in, c.number); });
    } catch (...) {
        fail(in, EPROTO, "the scheduler threw for core %u: %s", c.number,
             platform::current_exception_text().c_str());
    }
    if (chosen == nullptr || in.has_stopped)
        return nullptr;
    vp &v = self_of(chosen);
    if (chosen->instance != &in)
        fail(in, EINVAL, "the plug-in schedules a VP of another instance");
    else if (v.state != vp_state::ready)
        fail(in, EPROTO, "the plug-in schedules VP %llu, which is %s", number_of(v), name_of(v));
    else
        return &v;
    return nullptr;
}

// Animated -> Blocked, and what follows from it.
void acknowledge(instance &in, vp &v) {
    v.state = vp_state::blocked;
    ++in.time;
    --in.animated;
    void *const request = v.request;
    if (request == nullptr && !v.has_returned) [[unlikely]] {
        fail(in, EPROTO, "VP %llu makes a request that is null", number_of(v));
        return;
    }
    if (in.trace) [[unlikely]]
        in.trace->asks(in.time, v, trace_step::blocked, describe(in, v, request));
    call_handler(in, v, request);
    if (request != nullptr)
        return;
    if (v.state == vp_state::blocked)
        dissipate(in, v);
    else if (v.state == vp_state::ready)
        fail(in, EPROTO, "the plug-in resumes VP %llu, whose function has returned", number_of(v));
}

// Ready -> Animated, for at most `most` VPs. Returns whether there were any.
[[gnu::always_inline]] inline bool fill(instance &in, core &c, std::size_t most) {
    c.filled = 0;
    while (c.filled < most && in.ready > 0) {
        vp *const chosen =
            in.plugin.schedule == nullptr ? first_come(in, c) : chosen_by_plugin(in, c);
        if (chosen == nullptr)
            break;
        vp &v = *chosen;
        queue_of(in, v.queued_at).remove(v);
        --in.ready;
        v.state = vp_state::animated;
        ++in.time;
        v.on = &c;
        if (in.trace) [[unlikely]]
            in.trace->animated(in.time, v, c.number);
        c.slots[c.filled++] = &v;
    }
    in.animated += c.filled;
    return c.filled > 0;
}

// Whether one core may take more than one VP: not if others wait.
std::size_t share(const instance &in) {
    return in.waiting == nullptr ? in.slots : 1;
}

void mark_to_wake(instance &in, core &c) {
    c.is_waiting = false;
    in.has_rest = true;
    c.next_to_wake = std::exchange(in.to_wake, &c);
}

// Asks every core that waits.
void offer_to_all(instance &in) {
    for (core **link = &in.waiting; *link != nullptr && in.ready > 0 && !in.has_stopped;) {
        core &c = **link;
        if (fill(in, c, 1)) {
            *link = c.next_waiting;
            mark_to_wake(in, c);
        } else {
            link = &c.next_waiting;
        }
    }
}

void wait_for_work(instance &in, core &c) {
    // Relaxed: nobody looks at the word before the lock is released and taken again.
    c.wake.store(waits, std::memory_order_relaxed);
    c.is_waiting = true;
    c.next_waiting = std::exchange(in.waiting, &c);
}

} // namespace

void fail_by_handler(instance &in, const vp &v, const void *request) {
    try {
        const std::string thrown = platform::current_exception_text();
        fail(in, EPROTO, "the handler threw at VP %llu, which %s: %s", number_of(v),
             describe(in, v, request).c_str(), thrown.c_str());
    } catch (const std::bad_alloc &) { // the lock is held, and is nobody's above to give back
        fail(in, EPROTO, "the handler threw at VP %llu, and memory has run out", number_of(v));
    }
}

vp *create(instance &in, sg_vms_function function, void *argument) {
    vp *const v = in.vps.take();
    if (v == nullptr) {
        fail(in, ENOMEM, "no memory for one more VP beside %zu", in.live);
        return nullptr;
    }
    v->instance = &in;
    v->function = function;
    v->argument = argument;
    ++in.time;
    ++in.live;
    if (in.trace) [[unlikely]]
        in.trace->is_tied(in.time, *v, trace_step::created);
    return v;
}

namespace {

[[gnu::cold, gnu::noinline]] void fail_to_resume(instance &in, const vp &v) {
    if (v.state != vp_state::blocked)
        fail(in, EPROTO, "the plug-in resumes VP %llu, which is %s", number_of(v), name_of(v));
    else
        fail(in, EINVAL, "the plug-in places VP %llu on core %u; there are %u", number_of(v),
             v.place, in.core_count);
}

[[gnu::cold, gnu::noinline]] void record_ready(instance &in, const vp &v) {
    in.trace->is_tied(in.time, v, trace_step::ready);
}

// The rest of make_ready_here: the VP is in no queue yet.
[[gnu::always_inline]] inline void queue_ready(instance &in, vp &v, ready_queue &queue,
                                               bool first) {
    v.state = vp_state::ready;
    ++in.time;
    ++in.ready;
    v.since = first ? 0 : in.time;
    v.queued_at = v.place;
    if (first)
        queue.add_first(v);
    else
        queue.add_last(v);
    if (in.trace) [[unlikely]]
        record_ready(in, v); // last, and apart: it takes no registers from where there is no trace
}

[[gnu::noinline]] void make_ready_on_core(instance &in, vp &v, bool first) {
    if (v.place >= in.core_count) [[unlikely]] {
        fail_to_resume(in, v);
        return;
    }
    core &c = *in.cores[v.place];
    queue_ready(in, v, c.ready, first);
    if (c.is_waiting)
        in.ask_placed = true;
}

[[gnu::always_inline]] inline void make_ready_here(instance &in, vp &v, bool first) {
    if (v.state != vp_state::blocked) [[unlikely]]
        fail_to_resume(in, v);
    else if (v.place != SG_VMS_ANYWHERE)
        make_ready_on_core(in, v, first);
    else
        queue_ready(in, v, in.anywhere, first);
}

} // namespace

void make_ready(instance &in, vp &v, bool first) {
    make_ready_here(in, v, first);
}

void offer(instance &in) {
    if (in.waiting == nullptr)
        return;
    if (in.anywhere.first() != nullptr || in.ask_placed)
        offer_to_all(in);
    in.ask_placed = false;
}

void stop(instance &in) {
    if (std::exchange(in.has_stopped, true))
        return;
    while (core *const c = in.waiting) {
        in.waiting = c->next_waiting;
        c->filled = 0;
        mark_to_wake(in, *c);
    }
}

void end(instance &in) {
    // Relaxed: changed under the lock.
    const bool is_held = in.holds.load(std::memory_order_relaxed) != 0;
    if (in.live == 0 && !is_held) {
        stop(in);
        return;
    }
    offer_to_all(in); // with places or without
    if (in.animated > 0 || in.has_stopped || is_held)
        return;
    if (in.ready > 0)
        fail(in, EPROTO, "the plug-in's scheduler gives no core any of the %zu VPs that are ready",
             in.ready);
    else
        fail_in_deadlock(in);
}

void handle_now(core &c, vp &v, void *request) {
    instance &in = c.owner;
    if (in.has_stopped)
        return;
    if (request == nullptr) {
        fail(in, EPROTO, "VP %llu sends a request that is null", number_of(v));
        return;
    }
    begin_as_master(c);
    ++in.time;
    if (in.trace) [[unlikely]]
        in.trace->asks(in.time, v, trace_step::sent, describe(in, v, request));
    call_handler(in, v, request);
    offer(in);
    end_as_master(c);
}

void visit(core &c) {
    instance &in = c.owner;
    begin_as_master(c);
    for (unsigned i = 0; i < c.filled && !in.has_stopped; ++i)
        acknowledge(in, *c.slots[i]);
    finish_visit(c);
}

void finish_visit(core &c) {
    instance &in = c.owner;
    const bool has_work = !in.has_stopped && fill(in, c, share(in));
    offer(in);
    if (!has_work && !in.has_stopped) {
        wait_for_work(in, c);
        if (in.animated == 0)
            end(in);
    }
    if (in.has_stopped)
        c.filled = 0;
    c.next_slot = 0;
    c.is_leaving = in.has_stopped;
    end_as_master(c);
}

} // namespace saguaro::vms

using namespace saguaro::vms;

namespace {

// False: the calling thread does not do the Master's work for that instance, and the call has been
// refused. Only for functions that are not inlined: see is_master.
[[gnu::always_inline]] inline bool is_allowed(const sg_vms *in, const char *function) {
    if (in != nullptr && is_master(instance_of(in))) [[likely]]
        return true;
    refuse_outside(function, in);
    return false;
}

[[gnu::always_inline]] inline bool is_allowed(const sg_vp *v, const char *function) {
    if (v != nullptr && is_master(instance_of(v->instance))) [[likely]]
        return true;
    refuse_outside(function, v != nullptr ? v->instance : nullptr);
    return false;
}

} // namespace

extern "C" {

[[gnu::noinline]] void sg_vms_resume(sg_vp *v) {
    if (is_allowed(v, "sg_vms_resume"))
        make_ready_here(instance_of(v->instance), self_of(v), false);
}

[[gnu::noinline]] void sg_vms_resume_first(sg_vp *v) {
    if (is_allowed(v, "sg_vms_resume_first"))
        make_ready(instance_of(v->instance), self_of(v), true);
}

[[gnu::noinline]] sg_vp *sg_vms_create(sg_vms *in, sg_vms_function function, void *argument) {
    if (!is_allowed(in, "sg_vms_create"))
        return nullptr;
    if (function == nullptr) {
        fail(instance_of(in), EINVAL, "the plug-in creates a VP with a null function");
        return nullptr;
    }
    return create(instance_of(in), function, argument);
}

[[gnu::noinline]] void sg_vms_dissipate(sg_vp *v) {
    if (!is_allowed(v, "sg_vms_dissipate"))
        return;
    vp &self = self_of(v);
    if (self.state == vp_state::blocked)
        dissipate(instance_of(v->instance), self);
    else
        fail(instance_of(v->instance), EPROTO, "the plug-in dissipates VP %llu, which is %s",
             number_of(self), name_of(self));
}

int sg_vms_is_live(const sg_vp *v) {
    return v != nullptr && self_of(v).state != vp_state::dissipated;
}

[[gnu::noinline]] void *sg_vms_allocate(sg_vms *in, size_t bytes) {
    if (!is_allowed(in, "sg_vms_allocate"))
        return nullptr;
    void *const block = instance_of(in).memory.take(bytes);
    if (block == nullptr)
        fail(instance_of(in), ENOMEM, "no memory for %zu bytes of the plug-in's", bytes);
    return block;
}

[[gnu::noinline]] void sg_vms_free(sg_vms *in, void *block, size_t bytes) {
    if (block != nullptr && is_allowed(in, "sg_vms_free") &&
        !instance_of(in).memory.give(block, bytes)) [[unlikely]]
        fail(instance_of(in), EINVAL, "the plug-in frees %p, of %zu bytes, twice", block, bytes);
}

[[gnu::noinline]] sg_vp *sg_vms_first_come(void *, sg_vms *in, unsigned number_of_core) {
    if (!is_allowed(in, "sg_vms_first_come"))
        return nullptr;
    instance &self = instance_of(in);
    if (number_of_core < self.cores.size())
        return first_come(self, *self.cores[number_of_core]);
    fail(self, EINVAL, "the plug-in schedules for core %u; there are %zu", number_of_core,
         self.cores.size());
    return nullptr;
}

[[gnu::noinline]] sg_vp *sg_vms_first_ready(const sg_vms *in, unsigned place) {
    if (!is_allowed(in, "sg_vms_first_ready"))
        return nullptr;
    const instance &self = instance_of(in);
    if (place < self.cores.size())
        return self.cores[place]->ready.first();
    return place == SG_VMS_ANYWHERE ? self.anywhere.first() : nullptr;
}

[[gnu::noinline]] sg_vp *sg_vms_next_ready(const sg_vp *v) {
    return is_allowed(v, "sg_vms_next_ready") ? self_of(v).after : nullptr;
}

unsigned sg_vms_cores(const sg_vms *in) {
    return in != nullptr ? static_cast<unsigned>(instance_of(in).cores.size()) : 0;
}

[[gnu::noinline]] uint64_t sg_vms_time(const sg_vms *in) {
    if (in == nullptr) {
        refuse_outside("sg_vms_time", in, true);
        return 0;
    }
    const instance &self = instance_of(in);
    return is_master(self) ? self.time : self.time_seen.load(std::memory_order_relaxed);
}
}
