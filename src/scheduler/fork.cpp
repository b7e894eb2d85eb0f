// SPDX-License-Identifier: MIT
// The locks that are held across fork, and forgetting the other workers in the child.
#include "scheduler/fork.hpp"

#include "hyperobjects/committed.hpp"
#include "hyperobjects/outside.hpp"
#include "hyperobjects/page_pool.hpp"
#include "hyperobjects/slots.hpp"
#include "scheduler/arena.hpp"
#include "scheduler/runtime.hpp"
#include "scheduler/worker.hpp"

#include <array>

namespace saguaro::scheduler {

namespace {

// The deques of one of the forking thread's workers: that of the flow which runs there, and those
// of its suspended parents that no thief has taken. Its chain's lock is held.
template <class Visit>
void for_each_deque(worker &w, Visit visit) {
    deque **const tail = reinterpret_cast<deque **>(w.region->chain);
    // Relaxed: written under the lock only.
    for (deque **slot = w.parents.head.load(std::memory_order_relaxed); slot < tail; ++slot)
        visit(**slot);
    if (deque *const running = w.active())
        visit(*running);
}

// The forking thread's workers: the one that it has, and those that it has left meanwhile for work
// inside theirs.
template <class Visit>
void for_each_of_mine(Visit visit) {
    for (worker *w = current_worker(); w != nullptr; w = w->around)
        visit(*w);
}

// No two of these are ever held at once, elsewhere.
std::array<platform::spin_lock *, 4> leaves() {
    return {&hyperobjects::global_slots().lock(), &hyperobjects::page_pool_lock(),
            &hyperobjects::waiting_views_lock(), &arenas_lock()};
}

} // namespace

void lock_for_fork() {
    // A thief may be at work on what the forking flow has pushed.
    for_each_of_mine([](worker &w) {
        w.parents.lock.lock();
        for_each_deque(w, [](deque &d) { d.lock.lock(); });
    });
    hyperobjects::committed_lock().lock();
    for (platform::spin_lock *leaf : leaves())
        leaf->lock();
    // The child goes on with this runtime. A leaf as well.
    if (worker *const w = current_worker())
        w->rt.ready.lock().lock();
}

void unlock_after_fork() {
    if (worker *const w = current_worker())
        w->rt.ready.lock().unlock();
    for (platform::spin_lock *leaf : leaves())
        leaf->unlock();
    hyperobjects::committed_lock().unlock();
    // lock_for_fork has found out whose thread this is.
    for_each_of_mine([](worker &w) {
        for_each_deque(w, [](deque &d) { d.lock.unlock(); });
        w.parents.lock.unlock();
    });
}

void forget_others() {
    forget_sleepers();
    forget_places();
    worker *const w = current_worker();
    if (w == nullptr)
        return;
    // A thief that came too late may have been at work on a stack that is free by now: its lock is
    // held for ever, and a request is out.
    w->rt.stacks().for_each_mapped([](stacks::stack &s) {
        deque_of(&s)->lock.unlock();
        deque_of(&s)->forget_thieves();
    });
    for_each_of_mine([](worker &each) { each.parents.forget_thieves(); });
    w->rt.leave_alone();
}

} // namespace saguaro::scheduler
