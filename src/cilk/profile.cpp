// SPDX-License-Identifier: MIT
// The clocks of programs that are compiled with -cilk-profile: see saguaro/detail/cilk_profile.h.
//
// A record is handed from strand to strand together with its frame, so that what orders the frame's
// variables orders it: the push and the steal, the join, the link between caller and callee. Only
// what children add meanwhile is atomic.
#include "saguaro/detail/cilk_profile.h"

#include "cilk/profile.hpp"
#include "platform/clock.hpp"
#include "platform/forks.hpp"
#include "platform/thread_clock.hpp"
#include "saguaro/cilk_abi.h"
#include "scheduler/deque.hpp"
#include "scheduler/observer.hpp"
#include "scheduler/worker.hpp"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <new>

struct sg_profile {
    sg_profile *parent = nullptr; // null: the activation was begun from outside
    bool is_child = false;        // spawned, not called
    // Where the activation goes on, once it is left.
    std::int64_t path = 0;
    // The longest path to the end of a child.
    std::atomic<std::int64_t> longest{0};
    std::atomic<std::int64_t> work{0};

    // Relaxed, both: children add before they arrive at the join, the sum is read behind it.
    void add(std::int64_t more) { work.fetch_add(more, std::memory_order_relaxed); }
    void raise(std::int64_t end) {
        std::int64_t known = longest.load(std::memory_order_relaxed);
        while (known < end &&
               !longest.compare_exchange_weak(known, end, std::memory_order_relaxed)) {
        }
    }
    std::int64_t join(std::int64_t own) const {
        return std::max(own, longest.load(std::memory_order_relaxed));
    }
};

namespace saguaro::cilk {

namespace {

using scheduler::spawn_observer;
using scheduler::strand_clock;

// What functions have for their record in a run whose spawns are observed, which measures nothing
// else. They keep it in the child of a fork, where there is no observer any more.
sg_profile of_observed;

// Whether the function is one of those; the observer, if there is still one, hears of it.
template <auto what, class... Where>
inline bool tell(const sg_profile *profile, Where... where) {
    if (profile != &of_observed)
        return false;
    if (spawn_observer *const o = spawn_observer::now())
        (o->*what)(where...);
    return true;
}

std::int64_t (*told_ns)() = nullptr; // instead of both clocks

struct monotonic {
    std::int64_t operator()() const { return told_ns == nullptr ? platform::now_ns() : told_ns(); }
};

struct own_time {
    std::int64_t operator()() const {
        return told_ns == nullptr ? platform::thread_ns() : told_ns();
    }
};

using thread_clock = platform::thread_clock<monotonic, own_time>;

// Not inlined: a flow may be on another thread each time.
[[gnu::noinline]] thread_clock &this_thread() {
    constinit static thread_local thread_clock clock; // no guard to ask at each reading
    return clock;
}

// How long the strand has run since its clock was set.
std::int64_t piece_of(const strand_clock &clock) {
    static constinit platform::made_once<std::int64_t> found;
    const std::int64_t reading = found.get([] { return this_thread().usual_reading(); });
    std::int64_t lost = 0;
    const std::int64_t now = this_thread().read(lost);
    return std::max<std::int64_t>(now - clock.begin - reading - lost, 0);
}

strand_clock &clock_of(sg_deque *d) {
    return static_cast<scheduler::deque *>(d)->clock;
}

// Counts what has run since the clock was set, for `profile`.
void count(strand_clock &clock, sg_profile &profile) {
    const std::int64_t time = piece_of(clock);
    clock.path += time;
    profile.add(time);
}

void set(strand_clock &clock, sg_profile *profile, std::int64_t path) {
    clock.running = profile;
    clock.path = path;
    clock.begin = this_thread().start();
}

// What is around the activation goes on, after `path`.
void hand_over(const sg_profile &profile, std::int64_t path) {
    const std::int64_t work = profile.work.load(std::memory_order_relaxed);
    if (profile.parent == nullptr) {
        scheduler::add_to_profile(work, path);
        return;
    }
    profile.parent->add(work);
    if (profile.is_child)
        profile.parent->raise(path);
    else
        profile.parent->path = path;
}

struct measured_loop {
    void (*body)(void *captured, std::uint64_t first, std::uint64_t last);
    void *captured;
    sg_profile profile;
};

void run_block(void *argument, std::uint64_t first, std::uint64_t last) {
    measured_loop &loop = *static_cast<measured_loop *>(argument);
    strand_clock &clock = scheduler::current_deque()->clock;
    sg_profile block;
    block.parent = &loop.profile;
    block.is_child = true;
    set(clock, &block, loop.profile.path);
    loop.body(loop.captured, first, last);
    count(clock, block);
    hand_over(block, clock.path);
    clock.running = nullptr;
}

// What strands measure that are not heard of one by one, and what an observer has measured.
scheduler::profile_totals totals() {
    scheduler::profile_totals all = scheduler::totals_of_profile();
    if (spawn_observer *const o = spawn_observer::of_this_strand()) {
        const scheduler::profile_totals more = o->measured();
        all.work += more.work;
        all.path += more.path;
    }
    return all;
}

// Null: nothing is measured here.
strand_clock *clock_here() {
    if (scheduler::current_worker() == nullptr)
        return nullptr;
    strand_clock &clock = scheduler::current_deque()->clock;
    return clock.running != nullptr ? &clock : nullptr;
}

} // namespace

void measure_by(std::int64_t (*told)()) {
    told_ns = told;
}

void end_profile_here() {
    strand_clock *const clock = clock_here();
    if (clock == nullptr)
        return;
    count(*clock, *clock->running);
    std::int64_t work = 0;
    for (const sg_profile *p = clock->running; p != nullptr; p = p->parent)
        work += p->work.load(std::memory_order_relaxed);
    scheduler::add_to_profile(work, clock->path);
}

} // namespace saguaro::cilk

using namespace saguaro;
using namespace saguaro::cilk;

extern "C" {

sg_profile *sg_profile_begin(sg_deque *deque) {
    if (spawn_observer *const o = spawn_observer::now()) {
        o->function_begins();
        return &of_observed;
    }
    strand_clock &clock = clock_of(deque);
    if (clock.running != nullptr)
        count(clock, *clock.running);
    else
        clock.path = 0;
    sg_profile *const profile = new (std::nothrow) sg_profile;
    if (profile == nullptr) {
        std::fprintf(stderr, "saguaro: no memory to measure a function\n");
        std::_Exit(1);
    }
    profile->parent = clock.running;
    profile->is_child = clock.child_begins;
    clock.child_begins = false;
    set(clock, profile, clock.path);
    return profile;
}

int sg_profile_doze_further(void) {
    spawn_observer *const o = spawn_observer::now();
    return o != nullptr && o->stays_silent() ? 1 : 0;
}

void sg_profile_spawn(sg_deque *deque, sg_profile *profile) {
    if (tell<&spawn_observer::function_spawns>(profile, __builtin_return_address(0)))
        return;
    strand_clock &clock = clock_of(deque);
    count(clock, *profile);
    profile->path = clock.path;
    clock.child_begins = true;
    set(clock, profile, clock.path);
}

void sg_profile_returned(sg_deque *deque, sg_profile *profile) {
    if (tell<&spawn_observer::function_returned>(profile))
        return;
    strand_clock &clock = clock_of(deque);
    clock.child_begins = false;
    // A child that was taken on its way, or aborted, has left.
    if (clock.running == nullptr)
        return;
    count(clock, *profile);
    profile->raise(clock.path);
    clock.running = nullptr;
}

void sg_profile_go_on(sg_deque *deque, sg_profile *profile) {
    if (profile == &of_observed)
        return;
    set(clock_of(deque), profile, profile->path);
}

void sg_profile_leave(sg_deque *deque) {
    if (spawn_observer::now() != nullptr)
        return;
    clock_of(deque).running = nullptr;
}

void sg_profile_wait(sg_deque *deque, sg_profile *profile) {
    if (profile == &of_observed)
        return;
    strand_clock &clock = clock_of(deque);
    count(clock, *profile);
    profile->path = clock.path;
    clock.running = nullptr;
}

void sg_profile_sync(sg_deque *deque, sg_profile *profile) {
    if (tell<&spawn_observer::function_syncs>(profile))
        return;
    strand_clock &clock = clock_of(deque);
    count(clock, *profile);
    set(clock, profile, profile->join(clock.path));
}

void sg_profile_end(sg_deque *deque, sg_profile *profile) {
    if (tell<&spawn_observer::function_ends>(profile))
        return;
    strand_clock &clock = clock_of(deque);
    count(clock, *profile);
    const std::int64_t path = profile->join(clock.path);
    hand_over(*profile, path);
    sg_profile *const parent = profile->parent;
    delete profile;
    set(clock, parent, path);
}

void sg_profile_drop(sg_profile *profile) {
    if (profile == &of_observed)
        return;
    if (profile->parent != nullptr)
        profile->parent->add(profile->work.load(std::memory_order_relaxed));
    delete profile;
}

void sg_profile_for(sg_deque *deque, sg_frame **tail,
                    void (*body)(void *captured, uint64_t first, uint64_t last), void *captured,
                    uint64_t iterations, uint64_t grain) {
    if (spawn_observer::now() != nullptr) {
        sg_for(deque, tail, body, captured, iterations, grain);
        return;
    }
    measured_loop loop{body, captured, {}};
    strand_clock *const clock = deque != nullptr ? &clock_of(deque) : nullptr;
    if (clock != nullptr && clock->running != nullptr) {
        count(*clock, *clock->running);
        loop.profile.parent = clock->running;
        loop.profile.path = clock->path;
    }
    sg_for(deque, tail, run_block, &loop, iterations, grain);
    const std::int64_t path = loop.profile.join(loop.profile.path);
    hand_over(loop.profile, path);
    if (clock != nullptr)
        set(*clock, loop.profile.parent, path);
}

long long sg_profile_work(void) {
    const strand_clock *const clock = clock_here();
    return clock != nullptr
               ? clock->running->work.load(std::memory_order_relaxed) + piece_of(*clock)
               : totals().work;
}

long long sg_profile_critical_path(void) {
    const strand_clock *const clock = clock_here();
    return clock != nullptr ? clock->path + piece_of(*clock) : totals().path;
}
}
