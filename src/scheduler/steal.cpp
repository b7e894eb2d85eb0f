// SPDX-License-Identifier: MIT
#include "scheduler/steal.hpp"

#include "platform/fence.hpp"
#include "scheduler/continuation.hpp"
#include "scheduler/idle.hpp"
#include "scheduler/runtime.hpp"

#include <mutex>

namespace saguaro::scheduler {

namespace {

// Whether `d` is where the oldest work of `victim` is: thieves must not take from a newer stack
// while an older one has something, or a flow could stop with unfinished business below it.
//
// Asked after the fence, with a frame of `d` in hand that cannot be popped: the flow on `d` is
// running or suspended with this frame outstanding. The acquire load that found the frame sees the
// chain as it was when the frame was pushed, and a parent below is popped only after the frame.
bool is_oldest(const worker &victim, const deque &d) {
    const deque *const parent = victim.parents.oldest();
    if (parent != nullptr)
        return parent == &d;
    // If the stack has gone to another worker since, the frame's push came after that, and so did
    // the store that took `d` from here.
    return victim.active() == &d;
}

void note_robbery(worker &victim) {
    // Relaxed: statistics; several thieves may count at once on different deques.
    victim.count.robbed.fetch_add(1, std::memory_order_relaxed);
}

bool take_frame(worker &thief, worker &victim, deque &d, work &loot) {
    const std::lock_guard guard(d.lock);
    for (;;) {
        // Relaxed: only holders of the lock write it.
        sg_frame **const slot = d.head.load(std::memory_order_relaxed);
        if (d.oldest() == nullptr)
            return false;
        if (d.resting_exc != ask_always)
            d.set_exc(slot + 1);
        // Between the store of `exc` and the second look at the slot: pairs with the owner's pop,
        // which stores null in the slot and then loads `exc`. One of the two sees the other's
        // store.
        platform::heavy_fence();
        sg_frame *const frame = d.oldest();
        if (frame == nullptr || !is_oldest(victim, d)) {
            d.rest_exc();
            return false;
        }
        const take_result result = frame->site->kind->take(thief, d, frame, loot);
        if (result == take_result::taken || result == take_result::exhausted)
            d.head.store(slot + 1, std::memory_order_relaxed);
        d.rest_exc();
        if (result == take_result::exhausted)
            continue;
        if (result == take_result::refused)
            return false;
        note_robbery(victim);
        return true;
    }
}

// Takes the continuation of `parent`, the oldest in the victim's chain, whose own deque is empty.
// The chain's lock is held.
bool take_parent(worker &victim, deque &parent, work &loot) {
    chain &parents = victim.parents;
    deque **const slot = parents.head.load(std::memory_order_relaxed);
    if (parents.resting_exc == nullptr)
        parents.set_exc(slot + 1);
    // As in take_frame; pairs with the child's pop of its parent.
    platform::heavy_fence();
    // The parent is now either gone or cannot be popped. In the latter case its deque is at rest,
    // and what it pushed before this spawn is visible; it must be empty still.
    const bool there = parents.oldest() == &parent && parent.oldest() == nullptr;
    const bool taken = there && take_continuation(parent);
    if (taken)
        parents.head.store(slot + 1, std::memory_order_relaxed);
    parents.rest_exc();
    if (!taken)
        return false;
    loot.suspended = parent.home();
    note_robbery(victim);
    return true;
}

// Lock order: chain, then deque.
bool take_from_chain(worker &thief, worker &victim, work &loot) {
    const std::lock_guard guard(victim.parents.lock);
    deque *const parent = victim.parents.oldest();
    if (parent == nullptr)
        return false;
    if (parent->oldest() != nullptr && take_frame(thief, victim, *parent, loot))
        return true;
    return parent->oldest() == nullptr && take_parent(victim, *parent, loot);
}

} // namespace

bool looks_rich(const worker &victim) {
    if (victim.parents.oldest() != nullptr)
        return true;
    const deque *const d = victim.active();
    return d != nullptr && d->oldest() != nullptr;
}

work find_work(worker &thief) {
    work found;
    // Before anything is taken: what is taken must be able to run.
    if (!thief.has_stack())
        return found;
    if (thief.rt.take_root(found))
        return found;
    const int chosen = thief.rt.policy().choose_victim(thief.id);
    if (chosen < 0)
        return found;
    counters::bump(thief.count.tries);
    worker &victim = thief.rt.worker_at(static_cast<unsigned>(chosen));
    if (&victim == &thief || !looks_rich(victim))
        return found;
    bool won = take_from_chain(thief, victim, found);
    if (!won) {
        deque *const d = victim.active();
        won = d != nullptr && take_frame(thief, victim, *d, found);
    }
    if (won) {
        counters::bump(thief.count.steals);
        // Where there was something there may be more, and whoever sleeps does not look.
        wake_if_any_sleeps();
    }
    return found;
}

bool frame_is_gone(deque &d, sg_frame **tail) {
    worker &w = *current_worker();
    bool gone, more;
    {
        const std::lock_guard guard(d.lock);
        gone = d.head.load(std::memory_order_relaxed) > tail;
        if (gone)
            // Thieves take the oldest first, so everything below is gone as well.
            d.restart_at(tail);
        else
            d.rest_exc();
        more = d.oldest() != nullptr;
    }
    if (w.rt.counts())
        counters::bump(w.count.spawns);
    if (more)
        wake_if_any_sleeps();
    return gone;
}

void make_ask(worker &victim) {
    deque *const d = victim.active();
    if (d == nullptr)
        return;
    const std::lock_guard guard(d->lock);
    d->set_exc(ask_always);
}

} // namespace saguaro::scheduler
