// SPDX-License-Identifier: MIT
#include "scheduler/join.hpp"

#include "scheduler/worker.hpp"

#include <mutex>
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
    while (s.before != nullptr)
        w.views.prepend(absorb(*s.before, owner));
    while (s.after != nullptr)
        w.views.append(absorb(*s.after, owner));
    discard(s, owner);
    owner.arrived = false;
}

bool join::arrive(worker &w, strand &s) noexcept {
    std::unique_lock guard(lock_);
    if (out_ == 1) {
        guard.unlock();
        collapse(w, s);
        return true;
    }
    hyperobjects::view_set views = w.views.take();
    // Merging calls the user's code, so it is done without the lock; meanwhile `s` has not arrived
    // and no neighbour will take it over.
    while (out_ > 1) {
        if (s.before != nullptr && s.before->arrived) {
            strand &neighbour = *s.before;
            const hyperobjects::view_set left = take_out(neighbour);
            guard.unlock();
            discard(neighbour, owner);
            views = w.views.merge(left, views);
            guard.lock();
        } else if (s.after != nullptr && s.after->arrived) {
            strand &neighbour = *s.after;
            const hyperobjects::view_set right = take_out(neighbour);
            guard.unlock();
            discard(neighbour, owner);
            views = w.views.merge(views, right);
            guard.lock();
        } else {
            s.views = views;
            s.arrived = true;
            --out_;
            return false;
        }
    }
    // The others have arrived while this one merged.
    guard.unlock();
    w.views.put(views);
    collapse(w, s);
    return true;
}

void arrive_and_continue(worker &w, join &j, strand &s) {
    if (j.arrive(w, s))
        w.next = j.owner_continues;
}

void end_child(child &c) {
    arrive_and_continue(*current_worker(), c.parent, c);
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
