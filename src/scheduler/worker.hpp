// SPDX-License-Identifier: MIT
// A worker: what a thread works with, the reducers' region, the stacks at hand, and the flow that
// runs. A thread of the runtime's has one for good, a thread that enters as long as it is inside.
//
// Flows run on pooled stacks. The thread's own stack runs the loop that looks for work; a flow that
// cannot go on switches to the loop, which then does what could not be done while the flow was
// still running (`after`), and goes on with `next` or goes stealing. What the loop does may call
// the program's code all the same: monoids' functions where a flow that has parked was the last to
// arrive at its join (merging.hpp), and inlets, which do not spawn.
#pragma once

#include "hyperobjects/local.hpp"
#include "numa/near.hpp"
#include "saguaro/saguaro.h"
#include "scheduler/cause.hpp"
#include "scheduler/deque.hpp"
#include "scheduler/frame_kind.hpp"
#include "scheduler/steal_memory.hpp"
#include "scheduler/stopwatch.hpp"
#include "stacks/context.hpp"
#include "stacks/pool.hpp"

#include <atomic>
#include <cstdint>
#include <utility>

namespace saguaro::scheduler {

class runtime;
struct root;
struct participant;

// The suspended parents of the flow that runs, oldest first: an array of deques with nulls behind
// the last one, the same protocol as a deque's slots. Its owner is the worker.
struct chain : detail::spawn_worker, steal_end<chain, deque> { // `exc`: pops below this ask
    // More nested scopes than this make a spawn a call. Address space, not memory.
    static constexpr std::size_t most = std::size_t{1} << 20;
    std::size_t capacity = most; // less in tests

    // One more slot is reserved below the first: see detail::end_child. The one at `end`, behind
    // the last that may be pushed to, is there too, and null.
    deque **slots = nullptr;
    deque **end = nullptr;

    // Address space for the slots, and memory for the first. False: the system refuses.
    bool reserve();
    // The owner's, before it pushes at `end`: memory for as many slots again. False: there are as
    // many as there can be, or the system refuses. On the way of each push that needs it: a flow
    // pushes its parent where attach_child has looked, because the stack for its child, once
    // attached, stays with it at this place of the chain, and is given away when the flow leaves
    // it.
    bool extend();
    void release();
    // Moves the memory of the slots to a node.
    void bring_to(unsigned node);

private:
    friend class steal_end<chain, deque>;

    // Release: as deque::show_exc.
    void show_exc(deque **value) {
        __atomic_store_n(&exc, reinterpret_cast<void **>(value), __ATOMIC_RELEASE);
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
    // How often thieves took from this worker: written by thieves, so on a cache line of its own.
    // Two at once may count as one, or put it back to what one of them had read: it tells only that
    // there was a theft.
    alignas(64) std::atomic<std::uint64_t> robbed{0};

    template <class T>
    static void bump(std::atomic<T> &counter, T by = 1) {
        // Relaxed, and no read-modify-write: one writer, but for `robbed`.
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

    // Ends the program, and says why there are no more stacks.
    [[noreturn]] void end_without_stack() const;

    // Gives the pool all stacks on which nothing runs, the one that has_stack keeps included, for
    // others to take. Between two flows only.
    void give_stacks();

    // For the thread that begins to work here: the worker's memory follows it to its node. If
    // that is another one than before: some microseconds for each page of the worker, of its chain
    // and of its region that is in memory.
    void follow_thread();

    // First of all: for code that spawns, a worker begins with a spawn_worker.
    chain parents;

    // Its thread's, but before `region`, which lies in it.
    hyperobjects::local views;

    // Read by thieves: the deque of the flow that runs, null while the loop does. It is the `deque`
    // of the worker's region header, so that a switch of flows has one place to write. Acquire:
    // pairs with `activate`; the deque is built, and a thief that finds it also sees the parents
    // that were pushed on the chain before.
    deque *active() const {
        return static_cast<deque *>(__atomic_load_n(&region->deque, __ATOMIC_ACQUIRE));
    }

    sg_region_header *const region = views.header();

    // What the flows on this worker belong to, or belonged to last: a cause. Relaxed: a thief that
    // has a frame of the worker's in hand has seen `active` or the chain, which were written later.
    std::atomic<const root *> serves{nullptr};
    std::atomic<const nesting *> within{nullptr};
    cause whose() const {
        return {serves.load(std::memory_order_relaxed), within.load(std::memory_order_relaxed)};
    }
    // Only what changes is written: thieves have the line.
    void work_for(const cause &whose) {
        if (serves.load(std::memory_order_relaxed) != whose.entered)
            serves.store(whose.entered, std::memory_order_relaxed);
        if (within.load(std::memory_order_relaxed) != whose.within)
            within.store(whose.within, std::memory_order_relaxed);
    }

    // The rest belongs to the thread that works here.
    alignas(128) stacks::cache at_hand;
    stacks::stack *reserve = nullptr; // has_stack's
    bool lacks_stack = false;         // there was none when it last looked for work
    stacks::context loop;
    // To be done by the loop once it has taken over from a flow: after(*this, after_argument).
    void (*after)(worker &, void *) = nullptr;
    void *after_argument = nullptr;
    work next; // what the loop goes on with
    const bool may_move = numa::node_count() > 1;
    steal_memory spare_memory;
    unsigned failed_tries = 0;          // to steal, since the last one that found something
    const deque *last_robbed = nullptr; // the flow that the last steal has taken something of
    bool missed_urgent = false;         // the last look was at the work with the highest priority,
                                        // and in vain
    bool missed = false;                // it saw work and did not get it, since idleness asked
    std::uint64_t fence_ticks;          // what this worker's heavy fences take, on average
    counters count;
    stopwatch clock; // started with statistics on only
    runtime &rt;
    const unsigned id;
    // The index of the node of memory that this and the rest of the worker's memory is on. Relaxed:
    // written by its thread; others take it for a hint.
    std::atomic<unsigned> node{numa::node_index_here()};
    // In the machine that the settings describe; -1: they describe none, -2: it is not known.
    const int thought_node;
    root *guest = nullptr;     // what it has entered with; null: it is one of the runtime's
    bool stands_in = false;    // its thread is a stand-in, which belongs to no node
    worker *around = nullptr;  // the worker that its thread has left for a while: see isolation
    sg_arena *place = nullptr; // its thread has a place there for the work that it has stolen
    sg_arena *left = nullptr;  // the one before, until it has given back the place there
    std::atomic<bool> is_taken{true}; // of threads that enter: see callers
    unsigned next_caller = 0;         // of the further workers of callers, whom a thief tries next
    bool tries_caller = false;        // a thief's next try is at one of them

    // The blocking scopes that the flow which runs is in, one in the other, and the `tail` of its
    // deque without them.
    unsigned blocked = 0;
    sg_frame **tail_of_blocked = nullptr;

    // Of threads that enter here. How it went the last time: long enough to be worth a wake-up.
    bool is_worth_help = true;
    std::uint64_t ended = 0; // when it ended; 0: the next one is to be measured
    // They have left stacks here, and perhaps memory in them.
    bool is_untidy = false;
    std::int64_t thinned_ns = 0; // when that was seen to last, without threads that sleep
};

// The one that the thread on `w` had first, before it worked for roots inside others.
inline const worker &outermost(const worker &w) {
    const worker *first = &w;
    while (first->around != nullptr)
        first = first->around;
    return *first;
}

// The worker that runs the caller; null outside. Read it anew after whatever may suspend the flow.
inline worker *current_worker() {
    return reinterpret_cast<worker *>(SG_REGION_GET(sg_worker *, worker));
}

// The deque of the flow that runs: workers only.
inline deque *current_deque() {
    return static_cast<deque *>(SG_REGION_GET(sg_deque *, deque));
}

// What a flow has beyond its stack stays with it, in its deque, while it is suspended: what the C++
// runtime knows of its exceptions, and its node among the strands. Most have neither. The worker is
// left as one without any.
void save_flow_state(deque &mine);
void restore_flow_state(deque &mine);

// The flow is about to be suspended.
inline void save_flow_state_if_any(deque &mine) {
    if (detail::has_flow_state(*sg_region_here())) [[unlikely]]
        save_flow_state(mine);
}

// The flow goes on, on whichever thread.
inline void restore_flow_state_if_any(deque &mine) {
    if ((mine.resume_flags & deque::saved_flow_state) != 0) [[unlikely]]
        restore_flow_state(mine);
}

// Gives the stacks that are kept for the children of the flow on `d`, its own and theirs, to `w`,
// the calling worker. The youngest parent's child may be the caller.
void give_spares(worker &w, deque &d);

// Thieves are about to come for what the flow on `d` has pushed, or pushes next: they need not ask
// for it. The calling worker runs that flow, or is about to.
void expect_thieves(worker &w, deque &d);

// `me`, the calling thread, works on what it has been given from now on; and no longer.
void begin_working(participant &me);
void end_working(participant &me);

// Looks for work, and does it, until `me` is over, or the runtime stops. It may be without a worker
// at the end.
void work_until_over(participant &me, runtime &rt);

// Suspends the flow that runs and lets the worker find something else; `after(worker, argument)`
// is called once the flow's context is complete, so that it may be made known to others. Returns
// when somebody continues the flow, perhaps on another worker.
void park(void (*after)(worker &, void *), void *argument);

// Makes `d` the deque that thieves find at `w`, the calling worker, and that code on it pushes to;
// null for the loop.
inline void activate(worker &w, deque *d) {
    // Release: pairs with worker::active.
    __atomic_store_n(&w.region->deque, static_cast<sg_deque *>(d), __ATOMIC_RELEASE);
}

} // namespace saguaro::scheduler
