// SPDX-License-Identifier: MIT
// A worker: a thread with its reducers' region, its stacks at hand, and the flow that runs on it.
//
// User code always runs on pooled stacks. The thread's own stack runs the loop that looks for
// work; a flow that cannot go on switches to the loop, which then does what could not be done
// while the flow was still running (`after`), and goes on with `next` or goes stealing.
#pragma once

#include "hyperobjects/local.hpp"
#include "saguaro/saguaro.h"
#include "scheduler/deque.hpp"
#include "scheduler/frame_kind.hpp"
#include "stacks/context.hpp"
#include "stacks/pool.hpp"

#include <atomic>
#include <cstdint>
#include <thread>
#include <utility>

namespace saguaro::scheduler {

class runtime;

// The suspended parents of the flow that runs, oldest first: an array of deques with nulls behind
// the last one, the same protocol as a deque's slots. Its owner is the worker.
struct chain {
    // More nested scopes than this make a spawn a call. Address space, not memory.
    static constexpr std::size_t capacity = std::size_t{1} << 20;

    deque **slots = nullptr;
    deque **end = nullptr;
    platform::spin_lock lock;      // guards exc (for writers) and head
    std::atomic<deque **> head;    // the oldest that has not been taken
    std::atomic<deque **> exc;     // pops below this ask
    deque **resting_exc = nullptr; // see deque::resting_exc

    // The oldest suspended parent. Acquire: pairs with the push's release store; the parent's
    // context and deque are visible.
    deque *oldest() const;

    // Under the lock: as deque::rest_exc.
    void rest_exc() {
        // Relaxed: the pop is ordered by the thief's heavy fence, or takes the lock.
        exc.store(resting_exc != nullptr ? resting_exc : head.load(std::memory_order_relaxed),
                  std::memory_order_relaxed);
    }
};

// Counted without synchronization by the worker's thread; read by others for information only.
struct counters {
    std::atomic<std::uint64_t> spawns{0};
    std::atomic<std::uint64_t> tries{0};
    std::atomic<std::uint64_t> steals{0};
    std::atomic<std::uint64_t> full_frames{0};
    std::atomic<std::uint64_t> parks{0};
    std::atomic<std::uint64_t> sleeps{0};
    std::atomic<std::int64_t> work_ns{0};
    std::atomic<std::int64_t> search_ns{0};
    std::atomic<std::int64_t> sleep_ns{0};
    // How often thieves took from this worker: written by thieves, under the lock that they hold.
    std::atomic<std::uint64_t> robbed{0};

    template <class T>
    static void bump(std::atomic<T> &counter, T by = 1) {
        // Relaxed, and no read-modify-write: one writer.
        counter.store(counter.load(std::memory_order_relaxed) + by, std::memory_order_relaxed);
    }
};

struct alignas(128) worker {
    worker(runtime &r, unsigned number);
    ~worker();

    // Makes sure that something can be begun here. False: the system gives no more stacks.
    bool has_stack();
    // An empty stack. Ends the program if there is none; call has_stack where that can be helped.
    stacks::stack *take_stack();

    // The worker's own thread's, but first of all: `region` lies in it.
    hyperobjects::local views;

    // Read by thieves: the deque of the flow that runs, null while the loop does. It is the `deque`
    // of the worker's region header, so that a switch of flows has one place to write. Acquire:
    // pairs with `activate`; the deque is built, and a thief that finds it also sees the parents
    // that were pushed on the chain before.
    deque *active() const {
        return static_cast<deque *>(__atomic_load_n(&region->deque, __ATOMIC_ACQUIRE));
    }

    chain parents;
    sg_region_header *const region = views.header();

    // The rest belongs to the worker's own thread.
    alignas(128) stacks::cache at_hand;
    stacks::stack *reserve = nullptr; // has_stack's
    stacks::context loop;
    // To be done by the loop once it has taken over from a flow: after(*this, after_argument).
    void (*after)(worker &, void *) = nullptr;
    void *after_argument = nullptr;
    work next; // what the loop goes on with
    counters count;
    runtime &rt;
    const unsigned id;
    std::thread thread;
};

// The worker that runs the caller; null outside. Read it anew after whatever may suspend the flow.
inline worker *current_worker() {
    return reinterpret_cast<worker *>(SG_REGION_GET(sg_worker *, worker));
}

// The deque of the flow that runs: workers only.
inline deque *current_deque() {
    return static_cast<deque *>(SG_REGION_GET(sg_deque *, deque));
}

// What the C++ runtime knows of the exceptions of the flow that runs stays with the flow, in its
// deque, while it is suspended. Leaving makes the thread's record that of a flow without any; true
// if there was something to leave.
inline bool leave_exceptions(deque &mine) {
    void **const record = SG_REGION_GET(void **, exceptions);
    if (record[0] == nullptr && record[1] == nullptr) [[likely]]
        return false;
    mine.exceptions[0] = std::exchange(record[0], nullptr);
    mine.exceptions[1] = std::exchange(record[1], nullptr);
    return true;
}

// The flow goes on, on whichever thread.
inline void continue_exceptions(deque &mine) {
    void **const record = SG_REGION_GET(void **, exceptions);
    record[0] = std::exchange(mine.exceptions[0], nullptr);
    record[1] = std::exchange(mine.exceptions[1], nullptr);
}

// What a worker's thread runs until the runtime stops.
void worker_loop(worker &w);

// Suspends the flow that runs and lets the worker find something else; `after(worker, argument)`
// is called once the flow's context is complete, so that it may be made known to others. Returns
// when somebody continues the flow, perhaps on another worker.
void park(void (*after)(worker &, void *), void *argument);

// Makes `d` the deque that thieves find at `w`, the calling worker, and that code on it pushes to;
// null for the loop.
inline void activate([[maybe_unused]] worker &w, deque *d) {
    // Release: pairs with worker::active.
#if defined(__x86_64__) && !defined(SG_GENERIC) && !SG_TSAN
    // One instruction, and on this processor every store is a release; the compiler keeps it in
    // place.
    SG_REGION_SET(deque, static_cast<sg_deque *>(d));
#else
    __atomic_store_n(&w.region->deque, static_cast<sg_deque *>(d), __ATOMIC_RELEASE);
#endif
}

} // namespace saguaro::scheduler
