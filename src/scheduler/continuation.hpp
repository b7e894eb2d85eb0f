// SPDX-License-Identifier: MIT
// The frames of scope.spawn: a child runs on a stack of its own, and what thieves take is the
// suspended parent.
#pragma once

#include "saguaro/detail/first_error.hpp"
#include "saguaro/detail/spawn.hpp"
#include "scheduler/join.hpp"
#include "scheduler/steal_memory.hpp"

#include <atomic>
#include <cstdint>
#include <memory>

namespace saguaro {

namespace scheduler {

// The children of a scope that were spawned outside of any run. The floor of fork and join has it.
class outside_children {
public:
    outside_children() = default;
    virtual ~outside_children() = default;
    outside_children(const outside_children &) = delete;
    outside_children &operator=(const outside_children &) = delete;

    // Returns when they have ended. In a run or outside; the flow that owns the scope.
    virtual void wait() noexcept = 0;
};

} // namespace scheduler

namespace detail {

// What a scope needs once a continuation in it has been taken or a child has thrown. Made by
// whoever needs it first, freed at the scope's end.
//
// Scopes of one flow need not be nested: two may have children out at once and be synced in any
// order. Their joins are nested all the same, in the order in which they came to have children out:
// a child that is taken belongs to the youngest of them, whose scope it may not be, and a sync
// first syncs all that are younger. So the views of the flow's children stay in serial order.
//
// A thief and a child that ends touch the beginning of `meeting` only, one cache line.
struct alignas(64) scope_record {
    scope_record(const scope_head &s, void *memory) : of(&s), block(memory) {}

    scheduler::join meeting;
    first_error error; // its keys are the children's numbers
    // The arguments of a translated call have thrown: its spawn is to throw (src/cilk/cxx.cpp).
    bool refused = false;
    // In deque::scopes, while strands may be out.
    bool open = false;
    scope_record *older = nullptr;
    std::unique_ptr<scheduler::outside_children> outside; // most scopes have none
    const scope_head *const of;
    void *const block; // to be freed
};

} // namespace detail

namespace scheduler {

struct deque;

// The strand of a child, in the child's deque: out once a thief has taken the parent. It is lent:
// the child's stack is used again when the child has ended. What the child touches at its end is
// one cache line, which the thief has written.
struct alignas(64) taken_child final : child {
    taken_child() { is_lent = true; }
    void discard() override {}

    // Written by the thief, under the chain's lock; after all that the strand has, and after the
    // chain's head.
    std::atomic<bool> is_out{false};
    // Where an exception goes: the scope that spawned it, and its number there.
    detail::scope_head *owner = nullptr;
    std::uint64_t key = 0;
};

// Called by a thief that holds the chain's lock and has made sure that `parent`, suspended in a
// spawn, cannot go on by itself: the child above becomes a strand of its own, and is to be told
// (`is_out`) when the chain's head has moved. False: `spare_memory` lacks memory for it.
bool take_continuation(deque &parent, steal_memory &spare_memory);

// The flow that runs comes to its end: waits for the children of all its scopes, those of groups
// that it has left to others included. Nothing throws: a task of another's group keeps its
// exception there.
void sync_all_scopes();

// Waits for the tasks that the flow has run into the groups of others.
void sync_adopted();

// A flow syncs a scope that is another's: it would wait for itself, or for what it cannot see. Ends
// the program with one line.
[[noreturn]] void refuse_sync();

// What the scope keeps of its children; made if it is not there. Any strand of the scope.
detail::scope_record &record_for(detail::scope_head &s);

} // namespace scheduler

} // namespace saguaro
