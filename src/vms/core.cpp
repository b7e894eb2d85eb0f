// SPDX-License-Identifier: MIT
// The loop of a core: its controller waits for VPs to animate, and VPs go on with one another.
#include "platform/arch.hpp"
#include "platform/clock.hpp"
#include "platform/exception_text.hpp"
#include "platform/forced_unwind.hpp"
#include "platform/futex.hpp"
#include "platform/idle_threads.hpp"
#include "platform/sanitizer.hpp"
#include "stacks/exceptions.hpp"
#include "stacks/float_mode.hpp"
#include "stacks/shortage.hpp"
#include "vms/instance.hpp"
#include "vms/master.hpp"

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <sched.h>
#include <string>
#include <utility>

namespace saguaro::vms {

namespace {

// Spins between two looks at the clock.
constexpr unsigned spins_at_once = 64;

// Nothing runs on these any more.
void give_back(core &c, stacks::stack *abandoned) {
    while (stacks::stack *const s = abandoned) {
        abandoned = s->next;
        stacks::forget_frames(*s);
        c.stack_cache.give(s);
    }
}

// Sleeps until the core is woken. Others may need its stacks meanwhile, and the system the memory
// of those that nobody needs.
void sleep(core &c) {
    c.stack_cache.rest();
    // Relaxed: `woken` is looked for again below, and the kernel compares the word once more before
    // it goes to sleep, so that a wake-up cannot come between.
    std::uint32_t seen = waits;
    if (c.wake.compare_exchange_strong(seen, sleeps, std::memory_order_relaxed))
        platform::begin_to_idle();
    // Acquire: as in `wait`.
    while (c.wake.load(std::memory_order_acquire) != woken) {
        const std::int64_t now = platform::now_ns();
        const std::int64_t trim_again = c.owner.stack_pool.trim(now);
        platform::futex_wait(c.wake, sleeps, trim_again < 0 ? platform::never : now + trim_again);
    }
}

// Waits until the Master has filled the slots. False: the core is to leave.
bool wait(core &c) {
    const bool yields = c.owner.yields;
    std::int64_t begin = 0;
    // Acquire: pairs with the release in `wake`.
    for (unsigned spins = 1; c.wake.load(std::memory_order_acquire) != woken; ++spins) {
        platform::cpu_relax();
        if (spins % spins_at_once != 0)
            continue;
        if (yields)
            sched_yield();
        const std::int64_t now = platform::now_ns();
        if (begin == 0)
            begin = now;
        if (now - begin < c.owner.spin_ns)
            continue;
        sleep(c);
        break;
    }
    platform::take_over(&c.wake);
    return c.filled > 0;
}

// False: an exception left the function, and the instance has failed; the lock is held.
bool call_function(vp &v) {
    std::string thrown;
    try {
        platform::call_until_return("virtual processor", [&v] { v.function(v.argument, &v); });
        return true;
    } catch (...) {
        thrown = platform::current_exception_text();
    }
    // Behind the handler, and on the core of now: what() and the exception's destructor are the
    // program's, and may make requests.
    core &c = *v.on;
    acquire(c);
    fail(c.owner, EPROTO, "the function of VP %llu threw %s", number_of(v), thrown.c_str());
    return false;
}

// The controller, to go on with for good: the instance has failed while `v` was animated, which
// never is again.
stacks::context *abandon(core &c, vp &v) {
    c.is_leaving = true;
    c.current = nullptr;
    c.stack_cache.give(std::exchange(v.stack, nullptr));
    return &c.controller;
}

// The flow to go on with on core `c`, whose current VP has been suspended: null for the controller.
// `request` is what it asks for; null: it has ended. The lock may be held afterwards: the flow that
// goes on calls `arrive`.
[[gnu::always_inline]] inline vp *next_flow(core &c, vp &suspended, void *request) {
    // Outside the lock: it may have to be mapped.
    if (c.spare == nullptr) [[unlikely]]
        c.spare = c.stack_cache.take();
    if (c.owner.is_plain && request != nullptr) [[likely]] {
        acquire(c);
        if (vp *const next = visit_plainly(c, suspended, request)) [[likely]]
            return c.current = next;
    } else if (c.next_slot == c.filled) {
        acquire(c);
        visit(c);
    }
    return c.current = c.next_slot < c.filled ? c.slots[c.next_slot++] : nullptr;
}

// The first function on each stack: runs one VP after the other, as long as the next one has no
// stack yet and takes this one over.
stacks::context *run(void *argument) {
    vp *v = static_cast<vp *>(argument);
    for (;;) {
        arrive(*v->on);
        const bool returned = call_function(*v);
        core &c = *v->on;
        stacks::take_float_mode(c.owner.float_mode);
        if (!returned) [[unlikely]]
            return abandon(c, *v);
        stacks::stack *const mine = std::exchange(v->stack, nullptr);
        v->request = nullptr;
        v->has_returned = true;
        vp *const next = next_flow(c, *v, nullptr);
        if (next != nullptr && next->stack == nullptr) {
            next->stack = mine;
            v = next;
            continue;
        }
        c.stack_cache.give(mine);
        return next != nullptr ? &next->stack->ctx : &c.controller;
    }
}

// `next` has no stack and there are no more: the instance has failed.
[[gnu::cold, gnu::noinline]] void fail_without_stack(core &c, const vp &next) {
    if (!c.has_lock)
        acquire(c);
    fail(c.owner, ENOMEM, "VP %llu: %s", number_of(next),
         stacks::shortage(c.owner.stack_pool).c_str());
    c.is_leaving = true;
    c.current = nullptr;
}

// Leaves the flow at `from` and goes on with `next` (null: the controller).
[[gnu::always_inline]] inline void go(stacks::context &from, vp *next, core &c) {
    if (next != nullptr && next->stack != nullptr) [[likely]] {
        stacks::switch_to(from, next->stack->ctx);
    } else if (next != nullptr && c.spare != nullptr) {
        next->stack = std::exchange(c.spare, nullptr);
        stacks::start_on(from, *next->stack, run, next);
    } else {
        if (next != nullptr)
            fail_without_stack(c, *next);
        stacks::switch_to(from, c.controller);
    }
}

// The instance has failed, under the lock, and the VP that calls goes no further.
[[noreturn]] void stop_caller(core &c) {
    vp &self = *std::exchange(c.current, nullptr);
    c.is_leaving = true;
    go(self.stack->ctx, nullptr, c);
    std::abort(); // the controller of a core that leaves animates no VP
}

[[noreturn]] void abort_outside(const char *function) {
    std::fprintf(stderr,
                 "saguaro: %s: called by a thread that animates no virtual processor, or inside a "
                 "run that one has started\n",
                 function);
    std::abort();
}

// A VP's call of `function` for `v`, which is not the VP that calls. Returns in the Master only.
[[gnu::cold, gnu::noinline]] void refuse_caller(const char *function, const sg_vp *v) {
    core *const c = core_of_this_thread();
    if (c == nullptr)
        abort_outside(function);
    if (c->master_of != nullptr) {
        fail(c->owner, EPROTO, "the plug-in calls %s inside a handler or a scheduler", function);
        return;
    }
    const unsigned long long caller = number_of(*c->current);
    acquire(*c);
    if (v == nullptr)
        fail(c->owner, EINVAL, "VP %llu calls %s for a null VP", caller, function);
    else if (c->owner.vps.has(v))
        fail(c->owner, EINVAL, "VP %llu calls %s for VP %llu: only that VP may", caller, function,
             number_of(self_of(v)));
    else
        fail(c->owner, EINVAL, "VP %llu calls %s for %p, which is no VP of its instance", caller,
             function, static_cast<const void *>(v));
    stop_caller(*c);
}

// The core on which the calling VP is animated. Null: the Master calls, and the instance has
// failed. Does not return if the caller is not `v`. For functions that are not inlined and call it
// before they switch.
[[gnu::always_inline]] inline core *core_of(const sg_vp *v, const char *function) {
    core *const c = this_core;
    if (c == nullptr || c->current != v || c->master_of != nullptr) [[unlikely]] {
        refuse_caller(function, v);
        return nullptr;
    }
    return c;
}

} // namespace

[[gnu::tls_model("initial-exec")]] constinit thread_local core *this_core = nullptr;

[[gnu::noinline]] core *core_of_this_thread() {
    return this_core;
}

[[gnu::noinline]] void *set_core_aside() {
    return std::exchange(this_core, nullptr);
}

[[gnu::noinline]] void bring_core_back(void *aside) {
    this_core = static_cast<core *>(aside);
}

master_at::master_at(core &c) : as_(c), aside_(set_core_aside()) {
    bring_core_back(&c);
    acquire(c);
    begin_as_master(c);
}

master_at::~master_at() {
    end_as_master(as_);
    release(as_);
    bring_core_back(aside_);
}

core::core(instance &in, unsigned n) : owner(in), number(n), stack_cache(in.stack_pool) {}

void refuse_outside(const char *function, const sg_vms *in, bool vps_may) {
    core *const c = core_of_this_thread();
    if (c == nullptr)
        abort_outside(function);
    const char *const what = in == nullptr ? "null" : "another instance";
    if (c->master_of == nullptr) {
        const unsigned long long caller = number_of(*c->current);
        acquire(*c);
        if (vps_may)
            fail(c->owner, EINVAL, "VP %llu calls %s for %s", caller, function, what);
        else
            fail(c->owner, EPROTO, "VP %llu calls %s: only handlers and schedulers may", caller,
                 function);
        stop_caller(*c);
    }
    fail(c->owner, EINVAL, "the plug-in calls %s for %s", function, what);
}

void wake(core &c) {
    platform::hand_over(&c.wake);
    // Release, both: pairs with the acquire loads in `wait`: what was put into the slots is
    // visible.
    std::uint32_t seen = waits;
    if (c.wake.compare_exchange_strong(seen, woken, std::memory_order_release,
                                       std::memory_order_relaxed))
        return;
    // It sleeps. Only the Master wakes it, so this is still so.
    platform::end_idling();
    c.wake.store(woken, std::memory_order_release);
    platform::futex_wake(c.wake, 1);
}

void lock_master(core &c) {
    c.owner.lock.lock();
    platform::take_over(&c.owner.lock);
}

void release_and_do_the_rest(core &c) {
    instance &in = c.owner;
    stacks::stack *const abandoned = std::exchange(in.abandoned, nullptr);
    core *to_wake = std::exchange(in.to_wake, nullptr);
    c.has_lock = false;
    in.has_rest = in.is_shared;
    if (in.is_shared) {
        platform::hand_over(&in.lock);
        in.lock.unlock();
    }
    while (to_wake != nullptr)
        wake(*std::exchange(to_wake, to_wake->next_to_wake));
    if (abandoned != nullptr)
        give_back(c, abandoned);
}

// Apart: what is kept would take registers from VPs that are in no handler of an exception.
[[gnu::cold, gnu::noinline]] void go_with_exceptions(stacks::context &from, vp *next, vp &self) {
    core &c = *self.on;
    const stacks::kept_exceptions mine = stacks::take_exceptions(c.exceptions);
    go(from, next, c);
    stacks::give_exceptions(self.on->exceptions, mine);
}

void control(core &c) {
    this_core = &c;
    platform::set_float_mode(c.owner.float_mode);
    const hyperobjects::flows_region::attachment for_lookups(c.owner.region);
    c.exceptions = stacks::exceptions_of_this_thread();
    while (wait(c)) {
        if (c.spare == nullptr)
            c.spare = c.stack_cache.take();
        c.next_slot = 1;
        c.current = c.slots[0];
        if (c.current->stack != nullptr || c.spare != nullptr)
            go(c.controller, c.current, c);
        else
            fail_without_stack(c, *c.current);
        arrive(c);
        if (c.is_leaving)
            break;
    }
    if (c.spare != nullptr)
        c.stack_cache.give(std::exchange(c.spare, nullptr));
    this_core = nullptr;
}

} // namespace saguaro::vms

using namespace saguaro::vms;

extern "C" {

// Not inlined, into what optimizes a whole program either: of two requests in one function the
// second may be made on another thread.
[[gnu::noinline]] void *sg_vms_request(sg_vp *v, void *request) {
    core *const caller = core_of(v, "sg_vms_request");
    if (caller == nullptr) [[unlikely]]
        return nullptr;
    core &c = *caller;
    vp &self = self_of(v);
    self.request = request;
    self.answer = nullptr;
    // The handler may dissipate the VP, and then its stack is in a list.
    saguaro::stacks::stack &here = *self.stack;
    const std::uint64_t float_mode = saguaro::stacks::take_float_mode(c.owner.float_mode);
    vp *const next = next_flow(c, self, request);
    if (next != &self) {
        using namespace saguaro::stacks;
        if (self.stack == &here)
            here.next = &here; // debuggers find it so
        if (has_exceptions(c.exceptions)) [[unlikely]]
            go_with_exceptions(here.ctx, next, self);
        else
            go(here.ctx, next, c); // all others take theirs with them as well
    }
    here.next = nullptr;
    saguaro::stacks::give_float_mode(self.on->owner.float_mode, float_mode);
    arrive(*self.on);
    return self.answer;
}

[[gnu::noinline]] void *sg_vms_send(sg_vp *v, void *request) {
    core *const caller = core_of(v, "sg_vms_send");
    if (caller == nullptr) [[unlikely]]
        return nullptr;
    core &c = *caller;
    instance &in = c.owner;
    v->answer = nullptr;
    acquire(c);
    handle_now(c, self_of(v), request);
    if (in.has_stopped) {
        c.is_leaving = true;
        c.current = nullptr;
        go(self_of(v).stack->ctx, nullptr, c);
    }
    release(c);
    return v->answer;
}

sg_vp *sg_vms_self(void) {
    const core *const c = core_of_this_thread();
    return c == nullptr || c->master_of != nullptr ? nullptr : c->current;
}

void sg_vms_refuse(const sg_vp *me, const char *set, const char *function) {
    core *const c = core_of_this_thread();
    if (me == nullptr || c == nullptr || c->current != me || c->master_of != nullptr) {
        refuse_caller(function, me);
        return;
    }
    acquire(*c);
    fail(c->owner, EINVAL, "VP %llu calls %s: its instance is one of %s, not of %s",
         number_of(*c->current), function, c->owner.plugin.name, set);
    stop_caller(*c);
}
}
