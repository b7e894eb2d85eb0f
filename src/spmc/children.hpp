// SPDX-License-Identifier: MIT
// The children of this space that have not ended, and what floors above keep until they have.
//
// A child has a copy of its parent's variables, and so of the name of whatever the parent had in
// the control area when the child began. What the parent gives back meanwhile stays until all of
// these children have ended: README.md, "What outlives its owner".
#pragma once

#include "spmc/job.hpp"

#include <atomic>
#include <cstdint>
#include <mutex>

namespace saguaro::spmc {

// A part of what can be kept: an object in the control area, of the space that made it.
struct keepable {
    std::atomic<std::uint32_t> next; // of those that one child may still use
    std::uint32_t made_after;        // so many children
};

// What floors above do with what they have. Called under the lock below, also by the thread that
// watches over the children: the functions allocate nothing and wait for nothing.
struct end_actions {
    // Gives back what a space had that has ended: no thread of it runs any more.
    void (*give_back)(job &all, slot whose);
    // Gives back what was kept.
    keepable &(*kept_at)(const job &all, place what);
    void (*drop)(job &all, place what);
};
void set_end_actions(const end_actions &actions);

// Guards the rest of this header, but for the functions that take it.
std::mutex &children_lock();

// Room for what is known of children. False if the system refuses.
bool prepare_children();

void add_child(slot which);

// A child has ended; `says_so` tells others. What it had is given back before, and so is what was
// kept for it alone.
void end_child(job &all, slot which, void (*says_so)(const job &all, slot which));

// While it lives, each end of a child adds 1 to the word and wakes who sleeps on it, in any
// process, after others can see the end.
class end_bell {
public:
    explicit end_bell(std::atomic<std::uint32_t> &word);
    ~end_bell();

    end_bell(const end_bell &) = delete;
    end_bell &operator=(const end_bell &) = delete;

    // All that live. Under the lock.
    static void ring_all();

private:
    std::atomic<std::uint32_t> &word_;
    end_bell *next_;
};

// Calls visit(slot) for each child that has not ended.
template <class Visit>
void for_each_child(Visit visit);
slot youngest_child();
slot next_older_child(slot which);

// In a child, which has none.
void forget_children();

// The oldest child behind `after` that has not ended; 0: none. Takes the lock.
slot next_child(slot after);

// Drops `what` as soon as no child lives that was begun after it was made. Takes the lock.
void drop_after_children(job &all, place what, keepable &it);

template <class Visit>
void for_each_child(Visit visit) {
    for (slot s = youngest_child(); s != 0; s = next_older_child(s))
        visit(s);
}

} // namespace saguaro::spmc
