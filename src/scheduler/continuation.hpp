// SPDX-License-Identifier: MIT
// The frames of scope.spawn: a child runs on a stack of its own, and what thieves take is the
// suspended parent.
#pragma once

#include "scheduler/join.hpp"

namespace saguaro::scheduler {

struct deque;

// What a scope needs once a continuation in it has been taken. Made by the first thief, freed at
// the scope's end.
//
// Scopes of one flow need not be nested: two may have children out at once and be synced in any
// order. Their joins are nested all the same, in the order in which they came to have children out:
// a child that is taken belongs to the youngest of them, whose scope it may not be, and a sync
// first syncs all that are younger. So the views of the flow's children stay in serial order.
struct scope_record {
    join meeting;
    // In deque::scopes, while strands may be out.
    bool open = false;
    scope_record *older = nullptr;
};

// Called by a thief that holds the chain's lock and has made sure that `parent`, suspended in a
// spawn, cannot go on by itself: the child above becomes a strand of its own. False: no memory.
bool take_continuation(deque &parent);

} // namespace saguaro::scheduler
