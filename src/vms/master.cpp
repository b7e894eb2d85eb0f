// SPDX-License-Identifier: MIT
// The Master: everything in this file happens under the master lock, one thing after the other, and
// that order is virtual time.
#include "saguaro/vms.h"
#include "vms/instance.hpp"

#include <algorithm>
#include <cerrno>
#include <utility>

namespace saguaro::vms {

namespace {

unsigned long long number(const vp &v) {
    return static_cast<unsigned long long>(v.number);
}

const char *name_of(vp_state state) {
    switch (state) {
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
    return place < in.cores.size() ? in.cores[place]->ready : in.anywhere;
}

// Its stack, if it has one, is abandoned: who arrives next gives it back, because the one who
// dissipates may still run on it.
void dissipate(instance &in, vp &v) {
    if (v.stack != nullptr) {
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

// Animated -> Blocked, and what follows from it.
void acknowledge(instance &in, vp &v) {
    v.state = vp_state::blocked;
    ++in.time;
    --in.animated;
    const bool has_returned = v.has_returned;
    if (in.trace) [[unlikely]]
        in.trace->asks(in.time, v, trace_step::blocked, describe(in, v, v.request));
    in.plugin.handle(in.state, &v, v.request);
    if (!has_returned)
        return;
    if (v.state == vp_state::blocked)
        dissipate(in, v);
    else if (v.state == vp_state::ready)
        fail(in, EPROTO, "the plug-in resumes VP %llu, whose function has returned", number(v));
}

// Ready -> Animated, for at most `most` VPs. Returns whether there were any.
bool fill(instance &in, core &c, std::size_t most) {
    c.filled = 0;
    while (c.filled < most && in.ready > 0) {
        sg_vp *const chosen = in.plugin.schedule(in.state, &in, c.number);
        if (chosen == nullptr || in.has_stopped)
            break;
        vp &v = self_of(chosen);
        if (v.state != vp_state::ready) {
            fail(in, EPROTO, "the plug-in schedules VP %llu, which is %s", number(v),
                 name_of(v.state));
            break;
        }
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

// No VP is animated, and so nothing will come to the Master any more.
void end(instance &in) {
    if (in.live == 0) {
        stop(in);
        return;
    }
    offer_to_all(in); // with places or without
    if (in.animated > 0 || in.has_stopped)
        return;
    if (in.ready > 0)
        fail(in, EPROTO, "the plug-in's scheduler gives no core any of the %zu VPs that are ready",
             in.ready);
    else
        fail_in_deadlock(in);
}

} // namespace

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

void make_ready(instance &in, vp &v, bool first) {
    if (v.state != vp_state::blocked) {
        fail(in, EPROTO, "the plug-in resumes VP %llu, which is %s", number(v), name_of(v.state));
        return;
    }
    v.state = vp_state::ready;
    ++in.time;
    ++in.ready;
    if (in.trace) [[unlikely]]
        in.trace->is_tied(in.time, v, trace_step::ready);
    v.since = first ? 0 : in.time;
    v.queued_at = v.place;
    ready_queue &queue = queue_of(in, v.place);
    if (first)
        queue.add_first(v);
    else
        queue.add_last(v);
    if (v.place < in.cores.size() && in.cores[v.place]->is_waiting)
        in.ask_placed = true;
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

void handle_now(core &c, vp &v, void *request) {
    instance &in = c.owner;
    if (in.has_stopped)
        return;
    c.in_master = true;
    ++in.time;
    if (in.trace) [[unlikely]]
        in.trace->asks(in.time, v, trace_step::sent, describe(in, v, request));
    in.plugin.handle(in.state, &v, request);
    offer(in);
    c.in_master = false;
}

void visit(core &c) {
    instance &in = c.owner;
    c.in_master = true;
    for (unsigned i = 0; i < c.filled && !in.has_stopped; ++i)
        acknowledge(in, *c.slots[i]);
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
    c.in_master = false;
}

} // namespace saguaro::vms

using namespace saguaro::vms;

extern "C" {

void sg_vms_resume(sg_vp *v) {
    make_ready(instance_of(v->instance), self_of(v), false);
}

void sg_vms_resume_first(sg_vp *v) {
    make_ready(instance_of(v->instance), self_of(v), true);
}

sg_vp *sg_vms_create(sg_vms *in, sg_vms_function function, void *argument) {
    return create(instance_of(in), function, argument);
}

void sg_vms_dissipate(sg_vp *v) {
    vp &self = self_of(v);
    if (self.state == vp_state::blocked)
        dissipate(instance_of(v->instance), self);
    else
        fail(instance_of(v->instance), EPROTO, "the plug-in dissipates VP %llu, which is %s",
             number(self), name_of(self.state));
}

int sg_vms_is_live(const sg_vp *v) {
    return self_of(v).state != vp_state::dissipated;
}

void *sg_vms_allocate(sg_vms *in, size_t bytes) {
    void *const block = instance_of(in).memory.take(bytes);
    if (block == nullptr)
        fail(instance_of(in), ENOMEM, "no memory for %zu bytes of the plug-in's", bytes);
    return block;
}

void sg_vms_free(sg_vms *in, void *block, size_t bytes) {
    instance_of(in).memory.give(block, bytes);
}

sg_vp *sg_vms_first_come(void *, sg_vms *in, unsigned number_of_core) {
    vp *const here = instance_of(in).cores[number_of_core]->ready.first();
    vp *const anywhere = instance_of(in).anywhere.first();
    if (here == nullptr || anywhere == nullptr)
        return here != nullptr ? here : anywhere;
    return here->since <= anywhere->since ? here : anywhere;
}

sg_vp *sg_vms_first_ready(const sg_vms *in, unsigned place) {
    return place < instance_of(in).cores.size() ? instance_of(in).cores[place]->ready.first()
                                                : instance_of(in).anywhere.first();
}

sg_vp *sg_vms_next_ready(const sg_vp *v) {
    return self_of(v).after;
}

unsigned sg_vms_cores(const sg_vms *in) {
    return static_cast<unsigned>(instance_of(in).cores.size());
}

uint64_t sg_vms_time(const sg_vms *in) {
    return instance_of(in).time;
}
}
