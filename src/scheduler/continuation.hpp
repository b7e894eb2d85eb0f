// SPDX-License-Identifier: MIT
// The frames of scope.spawn: a child runs on a stack of its own, and what thieves take is the
// suspended parent.
#pragma once

#include "scheduler/join.hpp"

namespace saguaro::scheduler {

struct deque;

// What a scope needs once a continuation in it has been taken. Made by the first thief, freed at
// the scope's end.
struct scope_record {
    join meeting;
};

// Called by a thief that holds the chain's lock and has made sure that `parent`, suspended in a
// spawn, cannot go on by itself: the child above becomes a strand of its own. False: no memory.
bool take_continuation(deque &parent);

} // namespace saguaro::scheduler
