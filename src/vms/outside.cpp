// SPDX-License-Identifier: MIT
// Requests from outside: holds, which announce them, and posts, by any thread of the process.
#include "platform/futex.hpp"
#include "platform/sanitizer.hpp"
#include "stacks/float_mode.hpp"
#include "vms/instance.hpp"
#include "vms/master.hpp"

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <new>
#include <sched.h>
#include <utility>

namespace saguaro::vms {

namespace {

[[noreturn, gnu::cold]] void abort_post(const char *plugin, const char *why) {
    std::fprintf(stderr, "saguaro: %s: sg_vms_post %s\n", plugin, why);
    std::abort();
}

// VP 0, for the handler: with zeros for the plug-in's data. False: no memory.
bool make_outside(instance &in) {
    const std::size_t own = (sizeof(vp) + 15) / 16 * 16;
    in.outside_bytes.reset(new (std::nothrow) char[own + in.plugin.vp_bytes]());
    if (in.outside_bytes == nullptr)
        return false;
    in.outside = new (in.outside_bytes.get()) vp{};
    in.outside->instance = &in;
    in.outside->number = 0;
    in.outside->state = vp_state::animated; // which no handler may resume
    in.outside->place = SG_VMS_ANYWHERE;
    in.outside->data = in.outside_bytes.get() + own;
    return true;
}

// Under the lock, which with one core is none until now: from here on posters may want it. Also
// without memory: the instance has failed, but the post is announced and comes.
void hold(instance &in) {
    if (in.outside == nullptr && !make_outside(in))
        fail(in, ENOMEM, "no memory for requests from outside");
    if (!in.is_shared) {
        in.lock.lock(); // free: it was not needed. The core that believes to have it releases it
        platform::take_over(&in.lock);
        in.is_shared = true;
        in.has_rest = true;
    }
    // Relaxed, here and below, where it changes: under the lock.
    in.holds.fetch_add(1, std::memory_order_relaxed);
}

// What the Master does for a thread that is no core of the instance, as the core `c`, with the
// lock. Returns whether the request was handled.
bool handle_post(instance &in, void *request) {
    const std::uint32_t holds = in.holds.load(std::memory_order_relaxed);
    if (holds == 0)
        abort_post(in.plugin.name, "was called without a hold for that (sg_vms_hold)");
    bool was_handled = !in.has_stopped;
    if (was_handled) {
        ++in.time;
        if (in.trace) [[unlikely]]
            in.trace->asks(in.time, *in.outside, trace_step::sent,
                           describe(in, *in.outside, request));
        in.outside->answer = nullptr;
        call_handler(in, *in.outside, request);
        was_handled = in.error == 0;
    }
    // The handler may have taken more. Release pairs with the acquire in wait_for_outside: who sees
    // no hold sees this visitor.
    in.holds.fetch_sub(1, std::memory_order_release);
    offer(in);
    if (!in.has_stopped && in.animated == 0)
        end(in);
    return was_handled;
}

// A handler or a scheduler of the instance of `caller` calls, and so has its lock. Its post uses up
// a hold as others do, if the lock at hand is that of the hold.
[[gnu::cold, gnu::noinline]] void refuse_post(core &caller, const sg_vms *to) {
    instance &in = caller.owner;
    fail(in, EPROTO, "the plug-in calls sg_vms_post inside a handler or a scheduler");
    // A post whose handler this is still has its own.
    const std::uint32_t needed = caller.number == in.core_count ? 1 : 0;
    if (to != &in || in.holds.load(std::memory_order_relaxed) <= needed)
        return;
    // Release, and the wake: as in handle_post and after it.
    in.holds.fetch_sub(1, std::memory_order_release);
    platform::futex_wake(in.holds, 1);
}

} // namespace

void wait_for_outside(instance &in) {
    bool was_told = false;
    // Acquire: pairs with the release in handle_post.
    while (const std::uint32_t left = in.holds.load(std::memory_order_acquire)) {
        if (!std::exchange(was_told, true))
            std::fprintf(stderr, "saguaro: %s: waits for %u event%s from outside\n", in.plugin.name,
                         left, left == 1 ? "" : "s");
        platform::futex_wait(in.holds, left);
    }
    // Each has a few instructions left. Acquire pairs with the release in sg_vms_post.
    while (in.visitors.load(std::memory_order_acquire) != 0)
        sched_yield();
}

} // namespace saguaro::vms

using namespace saguaro;
using namespace saguaro::vms;

extern "C" {

[[gnu::noinline]] void sg_vms_hold(sg_vms *in) {
    core *const caller = core_of_this_thread();
    const bool by_vp = caller != nullptr && &caller->owner == in && caller->master_of == nullptr &&
                       caller->current != nullptr;
    if (!by_vp && (in == nullptr || !is_master(instance_of(in)))) {
        refuse_outside("sg_vms_hold", in, true);
        return;
    }
    if (by_vp)
        acquire(*caller);
    hold(instance_of(in));
    if (by_vp)
        release(*caller);
}

[[gnu::noinline]] int sg_vms_post(sg_vms *given, void *request) {
    if (given == nullptr || request == nullptr)
        abort_post("vms",
                   given == nullptr ? "was given a null instance" : "was given a null request");
    core *const caller = core_of_this_thread();
    if (caller != nullptr && caller->master_of != nullptr) {
        refuse_post(*caller, given);
        return EPROTO;
    }
    instance &in = instance_of(given);
    // Relaxed: the caller's hold keeps the instance until this is undone.
    in.visitors.fetch_add(1, std::memory_order_relaxed);
    bool was_handled = false;
    {
        // Handlers have the instance's.
        const std::uint64_t mode = stacks::take_float_mode(in.float_mode);
        core as(in, in.core_count);
        {
            const master_at master(as);
            was_handled = handle_post(in, request);
        }
        stacks::give_float_mode(in.float_mode, mode);
    }
    // Only where the instance has failed its caller may wait for the holds.
    if (!was_handled)
        platform::futex_wake(in.holds, 1);
    // Release pairs with the acquires in wait_for_outside: the caller does not touch it any more.
    in.visitors.fetch_sub(1, std::memory_order_release);
    return was_handled ? 0 : ECANCELED;
}
}
