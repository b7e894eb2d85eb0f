// SPDX-License-Identifier: MIT
// Where strands meet: who is still out, the views of who has arrived, in serial order.
//
// A join comes into being with the first steal from a frame. Its strands stand in a list in the
// order in which the serial program would run them; one of them is the owner, the flow that goes
// on when all have arrived. Neighbours that have both arrived are merged at once, by the later of
// the two, so that the list holds no more than one set of views between two strands that run.
#pragma once

#include "hyperobjects/view_set.hpp"
#include "platform/spin_lock.hpp"
#include "saguaro/detail/first_error.hpp"
#include "scheduler/frame_kind.hpp"

namespace saguaro::scheduler {

struct worker;
struct join;

struct strand {
    strand *before = nullptr;
    strand *after = nullptr;
    hyperobjects::view_set views; // once arrived
    bool arrived = false;
    // It leaves the list when it arrives, so that its worker may use its memory for something else.
    // Only a child that comes before the owner may be lent.
    bool is_lent = false;
};

// A strand that is not the owner. Made by the thief; discarded by whoever takes over its views.
struct child : strand {
    child() = default; // `parent` follows
    explicit child(join &j) : parent(&j) {}
    virtual ~child() = default;

    // Ends it, where it was allocated by itself.
    virtual void discard() { delete this; }

    join *parent = nullptr;
};

// What arrivals and thieves touch is its first 48 bytes.
struct join {
    join();
    ~join();
    join(const join &) = delete;
    join &operator=(const join &) = delete;

    // A new strand is out. `before_owner`: it comes earlier in the serial order than what the owner
    // still has to do (a spawned child, whose parent goes on), and later than all its siblings so
    // far. Otherwise it comes directly after the owner (a closure or the upper part of a range),
    // earlier than its siblings.
    void add_before_owner(child &c);
    void add_after_owner(child &c);

    // The strand `s`, whose views are the calling worker's private ones, has come to its end, or,
    // as the owner, to the sync. True for the last: the views of all are now the worker's private
    // ones, and the join is as new, so the owner can go on. False: the private views are empty;
    // neither `s` nor the join may be touched any more, for the last one may free both. A lent
    // strand has left the list then, and is its worker's.
    bool arrive(worker &w, strand &s) noexcept;

    // Whether arrive by the owner would return true.
    bool only_owner_is_out();

    // Whether the owner's sync has nothing to wait for and nothing to merge. Only where there is
    // one worker: it takes no lock.
    bool is_owners_alone() const {
        return out_ == 1 && owner.before == nullptr && owner.after == nullptr;
    }

    strand owner;

private:
    void collapse(worker &w, strand &s) noexcept;
    void leave(strand &s, strand &stays, hyperobjects::view_set views) noexcept;

    platform::spin_lock lock_;
    unsigned out_ = 1;

public:
    detail::first_error error;
    // How the owner goes on: set by the owner before it arrives.
    work owner_continues;
};

// Lets the strand `s` arrive on its own worker; if it was the last, the owner is what runs next
// here.
void arrive_and_continue(worker &w, join &j, strand &s);

// Ends the strand `c`, on its own worker: if it was the last, the owner is what runs next here.
void end_child(child &c);

// The owner's sync: returns when all strands have arrived. The flow is parked if any has not.
void sync_owner(join &j);

} // namespace saguaro::scheduler
