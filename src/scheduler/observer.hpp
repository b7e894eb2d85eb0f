// SPDX-License-Identifier: MIT
// What a run tells of itself to one observer: spawns, steals, joins, flows that park and go on.
//
// A program is observed from the start of its workers to their end, by one observer or none. The
// table in observer.cpp has the kinds that there are; its folder is on a floor above this one.
//
// There are two sorts. An `observer` hears what workers do to each other, on all of them: what a
// timeline draws. A `spawn_observer` hears of every spawn, sync and return as well, in the order of
// the serial program, and the run has one worker: what a recording or a race detector needs.
//
// Names. A *flow* is named by its deque: the two are together from the flow's begin to its end,
// whichever workers run it, and then another flow may have the deque. A *join* is named by its
// address, likewise. The observer may compare the names that it is given; it may look at the deque
// of a flow only as long as that flow runs on the calling thread.
//
// Threads. Each function says who calls it: "the worker" is the thread that works as `w`, which
// calls all functions for `w` in the order in which things happen there. Calls for other workers
// come at the same time, so an observer that shares anything between workers synchronizes it. No
// lock of the scheduler is held. The functions may allocate, lock and do input or output; they must
// not throw, spawn or sync.
//
// Order between workers. What a flow did before it was left is visible where it goes on: the
// scheduler's own synchronization lies between the two calls. Therefore `flow_leaves` happens
// before the `flow_runs` of the same flow, and each `arrives` at a join happens before the
// `flow_runs` of the flow that goes on after the join.
//
// Cost. Without an observer: a load and a branch at a steal, a switch of flows, an arrival at a
// join and a sleep, and nothing on the fast paths, which tests/gate counts. With an observer: a
// call each. With a spawn_observer all fast paths fail (see there).
#pragma once

#include "saguaro/detail/stealable.hpp"
#include "scheduler/profile.hpp"
#include "scheduler/settings.hpp"

#include <atomic>
#include <cstdint>
#include <memory>

namespace saguaro::detail {
struct scope_record;
}

namespace saguaro::scheduler {

struct deque;
struct join;
struct worker;
class spawn_observer;

class observer {
public:
    observer() = default;
    virtual ~observer() = default;
    observer(const observer &) = delete;
    observer &operator=(const observer &) = delete;

    // The one that observes; null: none. Any thread. Relaxed: pairs with `install` and `remove`,
    // which are called while no strand runs; the start of the workers, and of each root, orders
    // the two.
    static observer *now() { return now_.load(std::memory_order_relaxed); }

    // From now on it hears. Its owner is the runtime, which calls this before its first strand, in
    // the thread that starts it.
    static void install(observer &o);
    // No longer. The runtime, after its last strand; also the observer itself, on the one thread
    // that there is, where the process ends or has forked in a strand.
    static void remove();

    // -- Roots: computations that threads have entered with. The worker, on the flow of the root.

    virtual void root_begins(const worker & /*w*/, const deque & /*flow*/) {}
    virtual void root_ends(const worker & /*w*/) {}

    // -- Flows on workers. The worker, on its own stack.

    // `flow` begins on `w`, or goes on there. Until flow_leaves, what happens on `w` is the flow's;
    // but children of scope.spawn are flows that begin and end in between without a word, unless
    // their parents are stolen.
    virtual void flow_runs(const worker & /*w*/, const deque & /*flow*/) {}
    // It has ended there or was parked, or its child that has taken its place has.
    virtual void flow_leaves(const worker & /*w*/) {}
    // On the flow, before it leaves: it waits for the last strand of a join, or for a callee, and
    // is going to go on as `flow`.
    virtual void flow_parks(const worker & /*w*/, const deque & /*flow*/) {}

    // -- Between workers.

    // `thief` has taken something of the flow `from`, which `victim` had: what runs next on the
    // thief. If that flow itself was taken, suspended in a spawn, flow_runs is going to name it.
    // The flow may go on elsewhere meanwhile. The thief, on its own stack.
    virtual void steals(const worker & /*thief*/, const worker & /*victim*/,
                        const deque & /*from*/) {}

    // A strand that runs on `w` has come to its end, or, as the `owner`, to its sync, at a join
    // that came into being with a steal. The owner goes on when all have arrived, on the worker of
    // the last one. The worker, before the others can know of it.
    virtual void arrives(const worker & /*w*/, const join & /*at*/, bool /*owner*/) {}

    // The thread of `w` has found nothing, gives the worker back and sleeps; a thread, this one or
    // another, has been woken or has seen work, and works as `w`. Workers are awake at first.
    virtual void worker_sleeps(const worker & /*w*/) {}
    virtual void worker_wakes(const worker & /*w*/) {}

    // The process ends while a strand runs. If `here`, it is the calling thread's own, which has
    // called exit; otherwise strands run on other threads at the same time.
    virtual void process_ends(bool /*here*/) {}

private:
    friend class spawn_observer;

    // Written where now() says.
    static std::atomic<observer *> now_;
    static std::atomic<spawn_observer *> of_spawns_;

    virtual spawn_observer *hears_spawns() { return nullptr; }
};

// Hears of each spawn, in the order of the serial program: a child's spawn, what is in the child,
// its end, what comes after it. All functions are called by the one worker's thread on the flow
// that runs; those with a default do nothing then.
//
// While it hears, the runtime has one worker, and its words are in a state in which all fast paths
// fail:
//
// | what | state | so it hears |
// | sg_hear_pushes | not 0 | each push of a C++ construct |
// | `exc` of deques and of the chain | above all slots | each pop, and each end of a scope's child
// | | `limit` of a range | where the observer wants to be asked | iterations from there on |
//
// A fast clone of C passes no such place: functions that were compiled with cilkc -cilk-profile
// tell all, others only their pops (c_pop).
//
// A child is named by its place, which is free again after its end: a slot of the deque for a
// closure and a loop, the parent's deque for a child of a scope. The *site* of a spawn is an
// address that is the same each time that this place of the program spawns.
class spawn_observer : public observer {
public:
    // As observer::now.
    static spawn_observer *now() { return of_spawns_.load(std::memory_order_relaxed); }
    // The same, for what threads outside of the workers may do as well: null there.
    static spawn_observer *of_this_strand();

    // From now on pushes of C++ constructs are told, or no longer: a spawn_observer may be silent
    // for a while. Pops are told all the same, unless it lowers the marks as well (steal_end:
    // pass_from). The worker. Relaxed: it reads the word itself.
    static void hear_pushes(bool all) { __atomic_store_n(&sg_hear_pushes, all, __ATOMIC_RELAXED); }

    // Whether the pop of `slot` has asked only because pops are heard, so that the frame is there
    // and needs no lock.
    static bool is_only_heard(const deque &d, sg_frame **slot);

    // -- C++: parallel_invoke and loops, by the frames that they push.

    // The newest frame of the flow's deque is in `slot`: a closure_frame, whose `head.site` is the
    // site, or, with the site sg_range_site, a range_frame. What comes next is the first function,
    // or the first iteration.
    virtual void frame_pushed(sg_frame **slot) = 0;

    // The frame in `slot` was popped: the first function has returned or has thrown, or the loop
    // has ended. If this returns the closure's frame, the caller runs the second function at once
    // and tells of the end of the invocation. Null: nothing more is told of this one.
    virtual detail::closure_frame *popped(sg_frame **slot) = 0;
    // The second function has ended as well: that of the frame with this `taken`.
    virtual void invocation_ends(const void *taken) = 0;

    // The loop whose frame is in `slot` has come to iteration `next`, below `end`, and asks again
    // at the returned one: above `next`, and not above `end`.
    virtual std::uint64_t loop_goes_on(sg_frame **slot, std::uint64_t next, std::uint64_t end) = 0;

    // -- C++: scopes.

    // In `slot`, the newest of the chain, is the parent of a child that begins: its deque is now
    // the flow's. `s` is the scope that spawns; `is_new`: for the first time, and it has no error.
    virtual void parent_pushed(deque **slot, const detail::scope_record &s, bool is_new,
                               const void *site) = 0;
    // That child has ended, and its parent goes on.
    virtual void child_ends(deque &parent, deque **slot) = 0;
    // Scopes that have spawned while pushes were heard, or that have an error.
    virtual void scope_syncs(const detail::scope_record & /*s*/) {}
    // After its sync.
    virtual void scope_ends(const detail::scope_record & /*s*/) {}

    // What it has measured and not yet added to the totals of the profile, up to here. The worker.
    virtual profile_totals measured() { return {0, 0}; }

    // -- C functions that tell. `site` is an address in the function.

    virtual void function_begins() {}
    virtual void function_spawns(const void * /*site*/) {}
    // The child has.
    virtual void function_returned() {}
    virtual void function_syncs() {}
    virtual void function_ends() {}
    // A C function's pop, whether it tells or not.
    virtual void c_pop() {}
    // Silent clones (saguaro/detail/cilk_profile.h) have spawned as often as they might: whether
    // they may go on.
    virtual bool stays_silent() { return false; }

private:
    spawn_observer *hears_spawns() final { return this; }
};

// A way to observe runs.
struct observer_kind {
    const char *name;
    // It makes spawn_observers.
    bool each_spawn;
    // Before workers start, under the lock of that: may change what the run shall be, and throw
    // bad_setting.
    void (*prepare)(settings &s);
    // Whether a run with these settings is to be observed so.
    bool (*is_wanted)(const settings &s);
    // Where the workers have been built, before their first strand. Throws std::exception.
    std::unique_ptr<observer> (*make)(const settings &s);
    // In the child of a fork: what was observed is the parent's. The observer, if there was one,
    // has been removed and is never destroyed.
    void (*forked)();
};

// The first of the table that wants the run; null: none.
const observer_kind *wanted_observer(const settings &s);

// `prepare` and `forked` of all kinds.
void prepare_observers(settings &s);
void forget_observers();

// Runs that start from now on are observed so, and not as the table says; null: as the table says.
// For tests; not while workers run. Of the kind only each_spawn and `make` are used.
void observe_with(const observer_kind *kind);

} // namespace saguaro::scheduler
