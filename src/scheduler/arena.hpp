// SPDX-License-Identifier: MIT
// Arenas: the places in one, the threads that have them, and which threads may.
//
// A thread has a place in an arena while it runs the arena's work: a caller until its call returns,
// another one from when it takes the work until it takes some of elsewhere, or sleeps. arena.md has
// the protocol.
#pragma once

#include "platform/spin_lock.hpp"
#include "saguaro/arena.h"
#include "scheduler/cause.hpp"

#include <atomic>
#include <climits>

// Its memory is used again for other arenas and never given back: thieves that come late look at
// what a `nesting` says of it. All but `next` and `older` from any thread.
struct alignas(64) sg_arena {
    std::atomic<unsigned> most{0};      // relaxed, as the next two: constant while it exists
    std::atomic<int> node{SG_ANY_NODE}; // whose workers help
    std::atomic<int> priority{SG_PRIORITY_NORMAL};
    std::atomic<unsigned> here{0};  // how many threads have a place
    std::atomic<unsigned> calls{0}; // under way
    std::atomic<bool> exists{false};
    sg_arena *next = nullptr;  // in the list of free ones
    sg_arena *older = nullptr; // of all

    // Whether all places are taken. Relaxed: a hint, see arena.md for who relies on it.
    bool is_full() const {
        return here.load(std::memory_order_relaxed) >= most.load(std::memory_order_relaxed);
    }

    // Whether workers of one node alone help, and whether others come before or after it.
    bool has_node() const { return node.load(std::memory_order_relaxed) != SG_ANY_NODE; }
    bool has_priority() const {
        return priority.load(std::memory_order_relaxed) != SG_PRIORITY_NORMAL;
    }
};

namespace saguaro::scheduler {

class runtime;
struct worker;

// The arena that work belongs to; null: none. Exact while something of such work is in the caller's
// hand.
inline sg_arena *arena_of(const cause &whose) {
    return whose.within == nullptr ? nullptr : whose.within->in.load(std::memory_order_relaxed);
}

// How many calls are under way in arenas that have a node, or a priority: while there are none,
// nothing else needs to be looked at.
struct special_calls {
    alignas(64) std::atomic<unsigned> on_nodes{0};
    alignas(64) std::atomic<unsigned> ranked{0}; // each thief reads it
};
extern special_calls arena_calls;

// Sequentially consistent: a thread that falls asleep reads it after its fence. A call that it does
// not see has pushed nothing before that, and will find the sleeper.
inline bool nodes_matter() {
    return arena_calls.on_nodes.load(std::memory_order_seq_cst) != 0;
}

// Relaxed: a thief that sees it late takes in another order.
inline bool ranks_matter() {
    return arena_calls.ranked.load(std::memory_order_relaxed) != 0;
}

// Which comes first: the greater one.
inline int priority_of(const cause &whose) {
    const sg_arena *const there = arena_of(whose);
    return there == nullptr ? SG_PRIORITY_NORMAL : there->priority.load(std::memory_order_relaxed);
}

// The node whose workers alone may take work of `whose`; SG_ANY_NODE: any may.
inline int wanted_node(const cause &whose) {
    const sg_arena *const there = arena_of(whose);
    return there == nullptr ? SG_ANY_NODE : there->node.load(std::memory_order_relaxed);
}

// The node that the thread on `w` belongs to: in the machine that SAGUARO_TOPOLOGY describes, or
// else the one where it began to work last. Any thread: a hint, if it is not the caller's worker.
// `everywhere`: a stand-in, which helps on whichever node a thread waits.
inline constexpr int everywhere = INT_MAX;
int node_of(const worker &w);

// Whether the thread on `w`, the caller's worker, has a place in `there`.
bool has_place(const worker &w, const sg_arena &there);

// Who may take something.
struct taker {
    // The thread on `w`, the caller's worker; null: a thread with a place in no arena, on any node.
    taker(const worker *w) : who(w) {}
    // Such a thread on that node.
    static taker on(int node) {
        taker one(nullptr);
        one.node = node;
        return one;
    }

    const worker *who;
    int node = SG_ANY_NODE;
};

bool may_take_in(const sg_arena &there, const taker &one);

// Whether `one` has a place for work of `whose`, or there is one that it may take. A hint.
inline bool may_take(const taker &one, const cause &whose) {
    const sg_arena *const there = arena_of(whose);
    return there == nullptr || may_take_in(*there, one);
}

// Where calls in arenas with nodes are under way: looks whether there is something that a thread
// which sleeps could take, and wakes one. For a thread that has nothing to do, or has taken
// something, and cannot know what threads of other nodes might do. False: none was woken.
bool wake_for_what_there_is(runtime &rt);

// Sees to it that `thief`, the caller's, has a place for work of `whose`, which is in its hand:
// under the lock of a row. False: there is none now. Then, or when the work is not taken after all,
// and in any case without the lock: finish_move.
bool take_place(worker &thief, const cause &whose);

// What `thief` begins is of `whose`, for which take_place has found a place.
void begin_for(worker &thief, const cause &whose);

// `thief` has something of a node's arena: if it stands in, it goes to that node. Up to three
// system calls, outside of any lock.
void go_to_node(const worker &thief);

// Gives back the place that the thread had before, and wakes another thread for it.
void finish_move(worker &thief);

// Before a thief looks for work: it leaves where callers have come for whom there is no place, and,
// if it is a caller itself, which takes work of its own root only, in any case.
void make_room(worker &thief);

// `w` does not work any more: it gives its place back. The caller looks for work of the arena
// afterwards, and after a fence.
void give_place(worker &w);
// The same where it does not look: wakes another thread.
void leave_arena(worker &w);

// A call in `there` has a place for its thread, whether there is one or not; and no longer.
void add_caller(sg_arena &there);
void remove_caller(runtime &rt, sg_arena &there);

// Held across a fork; in the child no thread has a place, and no call is under way.
platform::spin_lock &arenas_lock();
void forget_places();

} // namespace saguaro::scheduler
