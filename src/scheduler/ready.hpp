// SPDX-License-Identifier: MIT
// Work that is ready and in no worker's deque: flows that were parked until a group's tasks had
// ended, what such a flow has left in its worker's chain, and what a thread from outside submits.
#pragma once

#include "platform/spin_lock.hpp"
#include "scheduler/cause.hpp"
#include "scheduler/frame_kind.hpp"

#include <atomic>

namespace saguaro::scheduler {

class runtime;
struct taker;
struct worker;

// One piece of work, in memory of its maker's.
struct ready_work {
    work what;
    // The root that it belongs to: only a thread that works for this root, or one of the runtime's,
    // takes it. None: one of the runtime's.
    cause of;
    bool is_heaped = false; // to be freed by `delete` when it is taken
    // It is, or was left by, what a thread of the runtime's works on. Where threads do not steal,
    // such a thread takes nothing else: a caller runs its root alone.
    bool is_runtimes = false;
    ready_work *next = nullptr;
};

// The oldest first. Any thread; the lock is a leaf.
class ready_list {
public:
    ready_list() = default;
    ready_list(const ready_list &) = delete;
    ready_list &operator=(const ready_list &) = delete;

    // `one` may be gone when this returns.
    void push(ready_work &one);

    // The oldest of those with the highest priority, `least` or more, that `thief` may take, which
    // has a place for it then. False: there is none.
    bool take(worker &thief, work &what, cause &of, int least);

    // False: it is not there any more.
    bool remove(ready_work &one);

    // Whether there is one for `who`, a thread that has entered with `mine` (null: one of the
    // runtime's). `is_shared`: threads steal.
    bool any_for(const root *mine, const taker &who, bool is_shared) const;

    // Held across a fork that a worker makes.
    platform::spin_lock &lock() { return lock_; }

private:
    ready_work *const *find(const root *mine, const taker &who, bool is_shared) const;

    mutable platform::spin_lock lock_;
    ready_work *first_ = nullptr;
    std::atomic<unsigned> count_{0}; // written under the lock; without it a hint
};

// Makes `one` known to the workers of `rt`, and wakes one that sleeps. Any thread that holds the
// runtime.
void make_ready(runtime &rt, ready_work &one);

// A root with which no thread enters has been pushed. Wakes a thread of the runtime's that sleeps,
// if there is a processor for it or none is awake.
void call_for_threadless(runtime &rt);

} // namespace saguaro::scheduler
