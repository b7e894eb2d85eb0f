// SPDX-License-Identifier: MIT
// Arenas: the places in one, and the threads that have them.
//
// A thread has a place in an arena while it runs the arena's work: a caller until its call returns,
// another one from when it takes the work until it takes some of elsewhere, or sleeps. arena.md has
// the protocol.
#pragma once

#include "platform/spin_lock.hpp"
#include "saguaro/arena.h"
#include "scheduler/cause.hpp"

#include <atomic>

// Its memory is used again for other arenas and never given back: thieves that come late look at
// what a `nesting` says of it. All but `next` and `older` from any thread.
struct alignas(64) sg_arena {
    std::atomic<unsigned> most{0};  // relaxed: constant while it exists
    std::atomic<unsigned> here{0};  // how many threads have a place
    std::atomic<unsigned> calls{0}; // under way
    std::atomic<bool> exists{false};
    sg_arena *next = nullptr;  // in the list of free ones
    sg_arena *older = nullptr; // of all

    // Whether all places are taken. Relaxed: a hint, see arena.md for who relies on it.
    bool is_full() const {
        return here.load(std::memory_order_relaxed) >= most.load(std::memory_order_relaxed);
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

// Whether the thread on `w`, the caller's worker, has a place in `there`.
bool has_place(const worker &w, const sg_arena &there);

// Whether the thread on `who` has a place for work of `whose`, or there is one. Null: a thread with
// a place in no arena. A hint.
inline bool may_take(const worker *who, const cause &whose) {
    const sg_arena *const there = arena_of(whose);
    return there == nullptr || !there->is_full() || (who != nullptr && has_place(*who, *there));
}

// Sees to it that `thief`, the caller's, has a place for work of `whose`, which is in its hand:
// under the lock of a row. False: there is none now. Then, or when the work is not taken after all,
// and in any case without the lock: finish_move.
bool take_place(worker &thief, const cause &whose);

// What `thief` begins is of `whose`, for which take_place has found a place.
void begin_for(worker &thief, const cause &whose);

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
