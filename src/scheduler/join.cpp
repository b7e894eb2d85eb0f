// SPDX-License-Identifier: MIT
// The list of strands at a join: adding, arriving, merging neighbours' views.
#include "scheduler/join.hpp"

#include "platform/no_memory.hpp"
#include "platform/sanitizer.hpp"
#include "scheduler/merging.hpp"
#include "scheduler/observer.hpp"
#include "scheduler/steal_memory.hpp"
#include "scheduler/worker.hpp"

#include <mutex>
#include <new>
#include <utility>

namespace saguaro::scheduler {

namespace {

void unlink(strand &s) {
    if (s.before != nullptr)
        s.before->after = s.after;
    if (s.after != nullptr)
        s.after->before = s.before;
    s.before = s.after = nullptr;
}

// Takes a neighbour that has arrived out of the list, and its views. It is to be discarded.
hyperobjects::view_set take_out(strand &neighbour) {
    unlink(neighbour);
    return std::exchange(neighbour.views, {});
}

// Not under the lock: it frees memory, which may be a system call or wait for one.
void discard(strand &s, const strand &owner) {
    if (&s != &owner)
        static_cast<child &>(s).discard();
}

// What a lent strand leaves in the list if it has views.
struct leftover final : child, in_steal_memory {};

strand *make_leftover() {
    auto *const left = new (std::nothrow) leftover;
    if (left == nullptr)
        platform::end_without_memory("the views of a child");
    return left;
}

// Puts `stands_in` in the place of `s`.
void replace(strand &s, strand &stands_in) {
    stands_in.before = std::exchange(s.before, nullptr);
    stands_in.after = std::exchange(s.after, nullptr);
    if (stands_in.before != nullptr)
        stands_in.before->after = &stands_in;
    if (stands_in.after != nullptr)
        stands_in.after->before = &stands_in;
}

strand *if_arrived(strand *neighbour) {
    return neighbour != nullptr && neighbour->arrived ? neighbour : nullptr;
}

hyperobjects::view_set absorb(strand &neighbour, const strand &owner) {
    const hyperobjects::view_set views = take_out(neighbour);
    discard(neighbour, owner);
    return views;
}

} // namespace

join::join() = default;
join::~join() = default;

void join::add_before_owner(child &c) {
    const std::lock_guard guard(lock_);
    ++out_;
    c.before = owner.before;
    c.after = &owner;
    if (c.before != nullptr)
        c.before->after = &c;
    owner.before = &c;
}

void join::add_after_owner(child &c) {
    const std::lock_guard guard(lock_);
    ++out_;
    c.after = owner.after;
    c.before = &owner;
    if (c.after != nullptr)
        c.after->before = &c;
    owner.after = &c;
}

bool join::only_owner_is_out() {
    const std::lock_guard guard(lock_);
    return out_ == 1;
}

// All others have arrived and nobody else will touch the list: both neighbours, at most one on
// either side, are merged into the private views as they stand.
void join::collapse(worker &w, strand &s) noexcept {
    platform::take_over(this);
    if (s.before == nullptr && s.after == nullptr) {
        discard(s, owner);
        owner.arrived = false;
        return;
    }
    const merging here(w);
    while (s.before != nullptr)
        w.views.prepend(absorb(*s.before, owner));
    while (s.after != nullptr)
        w.views.append(absorb(*s.after, owner));
    discard(s, owner);
    owner.arrived = false;
}

// `s` arrives with `views`, and `stays` is in the list for it from now on. The lock is held.
void join::leave(strand &s, strand &stays, hyperobjects::view_set views) noexcept {
    if (&stays != &s)
        replace(s, stays);
    stays.views = views;
    stays.arrived = true;
    --out_;
}

bool join::arrive(worker &w, strand &s) noexcept {
    if (observer *const o = observer::now()) [[unlikely]]
        o->arrives(w, *this, &s == &owner);
    std::unique_lock guard(lock_);
    if (out_ == 1) {
        guard.unlock();
        collapse(w, s);
        return true;
    }
    hyperobjects::view_set views;
    // What stands in the list for `s` when it has arrived; null: nothing yet.
    strand *stays = s.is_lent ? nullptr : &s;
    // Taking and merging views allocates and calls the user's code, so it is done without the lock;
    // meanwhile `s` has not arrived and no neighbour will take it over.
    if (!w.views.idle()) {
        guard.unlock();
        views = w.views.take();
        if (stays == nullptr)
            stays = make_leftover();
        guard.lock();
    }
    while (out_ > 1) {
        platform::hand_over(this);
        strand *const left = if_arrived(s.before);
        strand *const right = if_arrived(s.after);
        if (stays == nullptr && (left == nullptr || right == nullptr)) {
            // It has nothing to leave, and no two neighbours to bring together.
            unlink(s);
            --out_;
            return false;
        }
        if (left == nullptr && right == nullptr) {
            leave(s, *stays, views);
            return false;
        }
        strand &neighbour = left != nullptr ? *left : *right;
        const hyperobjects::view_set theirs = take_out(neighbour);
        guard.unlock();
        platform::take_over(this);
        if (stays == nullptr)
            stays = &neighbour; // the left one, which is not the owner
        else
            discard(neighbour, owner);
        {
            const merging here(w);
            views = left != nullptr ? w.views.merge(theirs, views) : w.views.merge(views, theirs);
        }
        guard.lock();
    }
    // The others have arrived while this one merged.
    guard.unlock();
    if (stays != nullptr && stays != &s)
        discard(*stays, owner);
    w.views.put(views);
    collapse(w, s);
    return true;
}

void arrive_and_continue(worker &w, join &j, strand &s) {
    if (j.arrive(w, s))
        w.next = j.owner_continues;
}

void end_child(child &c) {
    if (current_deque()->scopes != nullptr) [[unlikely]]
        sync_all_scopes();
    arrive_and_continue(*current_worker(), *c.parent, c);
}

void sync_owner(join &j) {
    if (j.only_owner_is_out()) {
        j.arrive(*current_worker(), j.owner);
        return;
    }
    j.owner_continues = {.suspended = current_deque()->home()};
    park(
        [](worker &w, void *argument) {
            join &parked = *static_cast<join *>(argument);
            arrive_and_continue(w, parked, parked.owner);
        },
        &j);
}

} // namespace saguaro::scheduler
