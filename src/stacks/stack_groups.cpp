// SPDX-License-Identifier: MIT
// The list of all groups: joining, leaving and keeping them, and fork.
#include "stacks/stack_groups.hpp"

#include "platform/copies.hpp"
#include "platform/forks.hpp"
#include "platform/spin_lock.hpp"
#include "stacks/overflow.hpp"
#include "stacks/sanitizers.hpp"

#include <mutex>

namespace saguaro::stacks {

namespace {

constinit std::mutex list_lock;     // taken before any group's; guards the list and who uses what
stack_group *first_group = nullptr; // of those without a user the ones left last come first

// Of groups without a user keeps so much.
void keep(std::size_t stacks, std::size_t bytes) {
    for (stack_group **link = &first_group; *link != nullptr;) {
        stack_group *const each = *link;
        if (each->users == 0)
            each->retire(stacks, bytes);
        // Nobody else knows it: no lock.
        if (each->users == 0 && each->is_empty()) {
            *link = each->next;
            delete each;
        } else {
            link = &each->next;
        }
    }
}

void move_to_front(stack_group &of) {
    stack_group **link = &first_group;
    while (*link != &of)
        link = &(*link)->next;
    *link = of.next;
    of.next = std::exchange(first_group, &of);
}

// A fork's child finds everything whole, but for stacks that somebody looked at who vanished with
// their lock: who comes new gets others.
void before_fork() {
    list_lock.lock();
    for (stack_group *each = first_group; each != nullptr; each = each->next)
        each->lock().lock();
    spare_slabs_lock().lock();
    overflow_lock().lock();
    annotations_lock().lock();
}

void after_fork_in_parent() {
    annotations_lock().unlock();
    overflow_lock().unlock();
    spare_slabs_lock().unlock();
    for (stack_group *each = first_group; each != nullptr; each = each->next)
        each->lock().unlock();
    list_lock.unlock();
}

void after_fork_in_child() {
    for (stack_group *each = first_group; each != nullptr; each = each->next)
        each->is_closed = each->use.is_looked_at && each->users > 0;
    after_fork_in_parent();
}

// After the pools' handlers of memory are (101), before the scheduler's (103): what is registered
// later is called first, so that the scheduler's locks are taken before ours, and the pools' last.
[[gnu::constructor(102)]] void handle_forks() {
    platform::at_forks(before_fork, after_fork_in_parent, after_fork_in_child);
}

// After the exit handlers, which may use stacks. A shared object that is unloaded leaves nothing.
[[gnu::destructor(101)]] void at_the_end() {
    if (platform::is_displaced())
        return;
    if (!list_lock.try_lock())
        return; // the process ends in a thread that has been interrupted here
    keep(0, 0);
    // With a user left, as when the process ends during a run, a slab may be in the making.
    if (first_group == nullptr) {
        forget_unmapped_slabs();
        forget_annotations();
    }
    list_lock.unlock();
}

} // namespace

stack_group &join(const shape &form, const purpose &use) {
    const std::lock_guard guard(list_lock);
    for (stack_group *each = first_group; each != nullptr; each = each->next)
        if (!each->is_closed && &each->use == &use && each->form == form) {
            ++each->users;
            return *each;
        }
    stack_group *const fresh = new stack_group(form, use);
    fresh->next = std::exchange(first_group, fresh);
    ++fresh->users;
    return *fresh;
}

void leave(stack_group &of) {
    const std::lock_guard guard(list_lock);
    if (--of.users > 0)
        return;
    move_to_front(of);
    keep(most_cold, most_idle_bytes);
}

bool drop_elsewhere(const stack_group &needy) {
    const std::lock_guard guard(list_lock);
    bool any = false;
    for (stack_group *each = first_group; each != nullptr; each = each->next)
        if (each != &needy)
            any = each->drop_idle() || any;
    return any;
}

void drop_unused() {
    const std::lock_guard guard(list_lock);
    keep(0, 0);
}

} // namespace saguaro::stacks
