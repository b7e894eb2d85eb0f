// SPDX-License-Identifier: MIT
#include "scheduler/idle.hpp"

#include "platform/arch.hpp"
#include "platform/clock.hpp"
#include "platform/fence.hpp"
#include "platform/futex.hpp"
#include "scheduler/runtime.hpp"
#include "scheduler/steal.hpp"

#include <sched.h>

unsigned sg_sleepers = 0;

namespace saguaro::scheduler {

namespace {

using namespace std::chrono_literals;

// A sleeper that looks around does so after this long at first, and at last. It costs it some 10 µs
// each time.
constexpr std::chrono::nanoseconds first_nap = 1ms;
constexpr std::chrono::nanoseconds longest_nap = 8ms;

// Tries between two offers of the processor to somebody else.
constexpr unsigned tries_before_yield = 128;

// Wake-ups that were granted and not yet taken. Who wakes takes one off sg_sleepers and adds one
// here; who is woken takes it: so each sleeper is woken once.
std::atomic<std::uint32_t> tickets{0};

// Takes one from `count` unless it is 0.
template <class Load, class Exchange>
bool take_one(Load load, Exchange exchange) {
    auto seen = load();
    while (seen != 0)
        if (exchange(seen))
            return true;
    return false;
}

bool take_sleeper() {
    // Relaxed: the count alone matters; what the sleeper needs to see it finds under locks.
    return take_one([] { return __atomic_load_n(&sg_sleepers, __ATOMIC_RELAXED); },
                    [](unsigned &seen) {
                        return __atomic_compare_exchange_n(&sg_sleepers, &seen, seen - 1, true,
                                                           __ATOMIC_RELAXED, __ATOMIC_RELAXED);
                    });
}

bool take_ticket() {
    // Relaxed: as above.
    return take_one([] { return tickets.load(std::memory_order_relaxed); },
                    [](std::uint32_t &seen) {
                        return tickets.compare_exchange_weak(seen, seen - 1,
                                                             std::memory_order_relaxed);
                    });
}

} // namespace

idleness::idleness(worker &w) : worker_(w), nap_(first_nap) {}

void idleness::found() {
    idle_since_ = 0;
    nap_ = first_nap;
}

void idleness::nothing() {
    platform::cpu_relax();
    if (++tries_ % tries_before_yield != 0)
        return;
    const std::int64_t now = platform::now_ns();
    if (idle_since_ == 0)
        idle_since_ = now;
    if (now - idle_since_ < worker_.rt.spin_ns()) {
        sched_yield();
        return;
    }
    worker_.clock.enter(stopwatch::sleeping);
    sleep();
    worker_.clock.enter(stopwatch::searching);
}

// Other workers may need stacks now, the system their memory. Returns after what time there will be
// more to give back; negative: never.
std::chrono::nanoseconds idleness::leave_stacks() {
    stacks::pool &pool = worker_.rt.stacks();
    worker_.at_hand.rest();
    const std::int64_t trim_again = pool.trim(platform::now_ns());
    // The worker keeps its reserve, which has rested longer than all others.
    if (trim_again < 0 && worker_.reserve != nullptr && !worker_.rt.anything_runs())
        pool.discard(*worker_.reserve);
    return std::chrono::nanoseconds(trim_again);
}

void idleness::sleep() {
    runtime &rt = worker_.rt;
    counters::bump(worker_.count.sleeps);
    const std::chrono::nanoseconds trim_again = leave_stacks();
    // Sequentially consistent, then the heavy fence: pairs with the looks at sg_sleepers after a
    // push. Either that look sees this, or the look around below sees the frame.
    __atomic_fetch_add(&sg_sleepers, 1, __ATOMIC_SEQ_CST);
    for (unsigned i = 0; i < rt.size(); ++i)
        if (i != worker_.id)
            make_ask(rt.worker_at(i));
    platform::heavy_fence();
    bool woken = false;
    if (!rt.anything_to_do(worker_)) {
        const bool timed = rt.anything_runs();
        // Not for ever while something runs: C clones that spawn seldom are not heard otherwise.
        const std::chrono::nanoseconds nap = timed ? nap_ : trim_again;
        const std::int64_t until = nap < 0ns ? platform::never : platform::now_ns() + nap.count();
        while (!(woken = take_ticket()))
            if (!platform::futex_wait(tickets, 0, until))
                break;
        if (timed)
            nap_ = std::min(nap_ * 2, longest_nap);
    }
    if (!woken && !take_sleeper()) {
        // Somebody has just taken this sleeper off the count: the ticket is on its way.
        while (!take_ticket())
            platform::futex_wait(tickets, 0);
    }
    if (woken)
        found();
}

void wake_all() {
    while (take_sleeper())
        // Release: pairs with nothing but the futex; the kernel orders the rest.
        tickets.fetch_add(1, std::memory_order_release);
    platform::futex_wake(tickets, platform::everybody);
}

void forget_sleepers() {
    // Relaxed, both: there is one thread.
    __atomic_store_n(&sg_sleepers, 0, __ATOMIC_RELAXED);
    tickets.store(0, std::memory_order_relaxed);
}

} // namespace saguaro::scheduler

extern "C" void sg_wake(void) {
    using namespace saguaro;
    if (!scheduler::take_sleeper())
        return;
    scheduler::tickets.fetch_add(1, std::memory_order_release);
    platform::futex_wake(scheduler::tickets, 1);
}
