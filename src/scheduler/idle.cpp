// SPDX-License-Identifier: MIT
// The loop of an idle worker: look around, nap or sleep.
#include "scheduler/idle.hpp"

#include "platform/arch.hpp"
#include "platform/clock.hpp"
#include "platform/fence.hpp"
#include "scheduler/arena.hpp"
#include "scheduler/observer.hpp"
#include "scheduler/runtime.hpp"
#include "scheduler/steal.hpp"

#include <algorithm>
#include <sched.h>
#include <utility>

namespace saguaro::scheduler {

namespace {

using namespace std::chrono_literals;

// Who watches looks around after this long at first, and at last. It costs it some 10 µs each time.
// A C program whose next part begins after a serial one of some 0.2 ms waits no longer than that
// (lu on two workers: 31 ms with a first nap of 1 ms, 24 ms if nobody ever sleeps).
constexpr std::chrono::nanoseconds first_nap = 50us;
constexpr std::chrono::nanoseconds longest_nap = 8ms;

constexpr std::chrono::nanoseconds for_good = -1ns;

// When no root has begun for so long, the workers' stacks at hand are given to the pool.
constexpr std::chrono::nanoseconds before_tidying = 500ms;

// A thread of the runtime's that finds so long, between two flows, that more threads compute than
// there are processors, sleeps. Threads that enter and leave all the time do not make it sleep and
// wake up all the time.
constexpr std::chrono::nanoseconds before_giving_way = 1ms;

// Tries between two offers of the processor to somebody else.
constexpr unsigned tries_before_yield = 128;

} // namespace

idleness::idleness(participant &me, runtime &rt) : me_(me), rt_(rt), nap_(first_nap) {}

void idleness::found() {
    idle_since_ = 0;
    nap_ = first_nap;
    looks_.found();
}

void idleness::nothing() {
    for (unsigned rest = looks_.in_vain(std::exchange(me_.at->missed, false)); rest != 0; --rest)
        platform::cpu_relax();
    if (++tries_ % tries_before_yield != 0)
        return;
    const std::int64_t now = platform::now_ns();
    if (idle_since_ == 0)
        idle_since_ = now;
    if (now - idle_since_ < rt_.spin_ns)
        sched_yield();
    else
        stop_working(false);
}

// The next pop of every flow tells who sleeps.
void idleness::ask_everybody() {
    rt_.any_worker([](worker &w) {
        make_ask(w);
        return false;
    });
}

bool idleness::gives_way() {
    if (me_.mine != nullptr || rt_.seating().free_processors() >= 0) [[likely]] {
        crowded_since_ = 0;
        return false;
    }
    const std::int64_t now = platform::now_ns();
    if (crowded_since_ == 0)
        crowded_since_ = now;
    return now - crowded_since_ >= std::chrono::nanoseconds(before_giving_way).count() &&
           stop_working(true);
}

// False: it was to give way, and need not.
bool idleness::stop_working(bool gives_way) {
    worker &w = *me_.at;
    // Counts itself, sequentially consistent, then the heavy fence: pairs with the looks at
    // sg_hear_pushes after a push. Either that look sees this, or the look around in `wait` sees
    // the frame.
    counters::bump(w.count.sleeps);
    if (!rt_.seating().rest(me_, gives_way)) {
        counters::bump(w.count.sleeps, ~std::uint64_t{0});
        return false;
    }
    if (observer *const o = observer::now())
        o->worker_sleeps(w);
    // Without a stack it could take nothing of what there may be.
    lacked_stack_ = w.lacks_stack;
    // Other workers may need stacks now, be it only the one that this one has kept to begin with.
    w.give_stacks();
    w.is_untidy = true;
    // Before the fence, and the look in `wait`: a thread that found all places taken sleeps, and
    // this one is counted on in its stead until it has looked.
    give_place(w);
    end_working(me_);
    if (me_.place != nullptr)
        me_.place->come();
    ask_everybody();
    platform::heavy_fence();
    // It looks for work of its own root only. Let another look for that of the others.
    if (me_.mine != nullptr && rt_.seating().roots() > 1)
        rt_.seating().wake();
    return true;
}

bool idleness::work() {
    if (!rt_.seating().rise(me_))
        return false;
    if (me_.place != nullptr)
        me_.place->leave();
    begin_working(me_);
    if (observer *const o = observer::now())
        o->worker_wakes(*me_.at);
    if (me_.mine == nullptr) {
        rt_.seating().watch.end(me_);
        see_to_watch(rt_);
    }
    return true;
}

void idleness::wait() {
    // If the system had no stack for it a moment ago, it looks again after a nap, not at once: else
    // it would fence and ask everybody all the time.
    const bool in_vain = std::exchange(lacked_stack_, false);
    if (!in_vain && rt_.anything_to_do(me_.mine, me_.seat) && work()) {
        // What there is may not be to be had at once: no reason to fall asleep the next moment.
        idle_since_ = 0;
        return;
    }
    // It looks for all that sleep: a thread of another node may take what this one may not, and may
    // have found no processor before.
    if (!in_vain && nodes_matter()) [[unlikely]]
        wake_for_what_there_is(rt_);
    std::chrono::nanoseconds nap = in_vain ? next_nap() : how_long();
    // A thread that naps no longer than one that watches is sure to look again soon.
    const bool counted = me_.mine == nullptr && (nap < 0ns || nap > longest_nap);
    if (counted && !falls_asleep_for_good())
        nap = first_nap;
    me_.sleep(nap);
    if (counted)
        rt_.deep_sleepers.fetch_sub(1, std::memory_order_relaxed);
    if (me_.is_over()) {
        rt_.seating().watch.end(me_);
        return;
    }
    // Relaxed: rise looks again.
    if ((me_.call.load(std::memory_order_relaxed) & participant::woken) != 0) {
        if (work())
            found();
        return;
    }
    if (counted)
        nap_ = first_nap; // it was called
    // Threads may have entered or left since it went to sleep, and other flows have begun.
    rt_.seating().look_again();
    ask_everybody();
}

// False: a root has begun meanwhile, whose thread may have counted on somebody who naps; or whoever
// watched has found something to do.
bool idleness::falls_asleep_for_good() {
    // Sequentially consistent: pairs with runtime::call_for_help. Either the thread that enters
    // sees this, or its root is counted below.
    rt_.deep_sleepers.fetch_add(1, std::memory_order_seq_cst);
    return rt_.seating().watch.is_kept() || roots_so_far() == roots_seen_;
}

// While something runs, or has run a moment ago, one of the sleepers watches, and naps: C clones
// that spawn seldom are not heard otherwise. A thread that has entered looks after its own root,
// also when another thread has begun it.
std::chrono::nanoseconds idleness::how_long() {
    if (me_.mine == nullptr && !rt_.seating().watch.begin(me_))
        return for_good;
    const std::int64_t now = platform::now_ns();
    const std::uint32_t roots = roots_so_far();
    if (roots_under_way() != 0) {
        rt_.stacks().trim(now);
        return next_nap();
    }
    if (std::exchange(roots_seen_, roots) != roots)
        quiet_since_ = now;
    if (now - quiet_since_ < std::chrono::nanoseconds(before_tidying).count())
        return next_nap();
    rt_.seating().watch.end(me_);
    return leave_stacks(now);
}

std::chrono::nanoseconds idleness::next_nap() {
    return std::exchange(nap_, std::min(nap_ * 2, longest_nap));
}

// The system may need the stacks' memory. Returns after what time there will be more to give back;
// negative: never.
std::chrono::nanoseconds idleness::leave_stacks(std::int64_t now) {
    rt_.callers().visit_free([](worker &w) {
        if (std::exchange(w.is_untidy, false))
            w.give_stacks();
    });
    return std::chrono::nanoseconds(rt_.stacks().trim(now));
}

namespace {

// The flow that runs has pushed its parent, or, without a site, a frame of its own.
void tell_of_push(spawn_observer &o, const void *site) {
    if (site != nullptr) {
        deque **const slot = reinterpret_cast<deque **>(SG_REGION_GET(void **, chain)) - 1;
        detail::scope_head &spawning = *(*slot)->spawning;
        // The scope is this thread's. What follows calls the observer if it has a record.
        const bool is_new = spawning.record() == nullptr;
        o.parent_pushed(slot, record_for(spawning), is_new, site);
        return;
    }
    deque *const d = current_deque();
    if (d == nullptr)
        return;
    // A program may call sg_wake where it has pushed nothing.
    sg_frame **const slot = d->tail - 1;
    if (slot >= d->slots() && detail::is_full(slot))
        o.frame_pushed(slot);
}

} // namespace

} // namespace saguaro::scheduler

extern "C" void sg_wake(void) {
    sg_wake_for(nullptr);
}

extern "C" void sg_wake_for(const void *site) {
    using namespace saguaro::scheduler;
    // A worker's own: who tries to stop it takes it away for a moment. Not that of a fork's parent.
    worker *const w = current_worker();
    runtime *const rt = w != nullptr && !w->rt.alone() ? &w->rt : running();
    if (rt == nullptr)
        return;
    // There is one worker: no other could take anything.
    if (spawn_observer *const o = spawn_observer::now()) {
        if (w != nullptr)
            tell_of_push(*o, site);
        return;
    }
    // No other thread could take it. One that leaves the arena looks, or wakes another.
    if (w != nullptr && !may_take(nullptr, w->whose()))
        return;
    // Where threads of other nodes sleep alone, each push in a node's arena comes here.
    const int node = w != nullptr ? wanted_node(w->whose()) : SG_ANY_NODE;
    if (!rt->seating().any_sleeps_on(node))
        return;
    // Whoever wakes up takes what has just been pushed: it shall not have to ask for it, or to
    // fence, while this worker computes.
    if (w != nullptr && w->active() != nullptr)
        expect_thieves(*w, *w->active());
    rt->seating().wake(0, node);
}
