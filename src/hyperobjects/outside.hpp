// SPDX-License-Identifier: MIT
// Outside views: a reducer's value as threads that are no workers see it, and which run holds it.
//
// A reducer's outside view is made with the reducer and lives as long. While nobody holds it, it
// is the outside's to read and write. A run whose serially first strand looks the reducer up holds
// it until the run ends, and updates it in place, as the serial program would. The reducer created
// by a worker is held from the start: its outside view is the creating strand's view.
#pragma once

#include <cstddef>
#include <cstdint>

#include "hyperobjects/region.hpp"
#include "hyperobjects/view_set.hpp"
#include "platform/spin_lock.hpp"

namespace saguaro::hyperobjects {

// True if `root` got hold of the outside view, which nobody held. Its caller puts the view into
// the set marked with `root`. Any worker that executes that set's strand.
bool claim_outside(std::uintptr_t key, run &root) noexcept;

// The worker that creates the reducer holds its outside view. Nobody else knows the reducer yet.
void hold_from_creation(std::uintptr_t key) noexcept;

// The flow that has created the reducer of the slot (current_flow); 0: none, but a worker or a
// thread outside. Constant while the reducer lives.
std::uintptr_t creator_of(std::uintptr_t key) noexcept;
void set_creator(std::uintptr_t key, std::uintptr_t flow) noexcept;

// True if a run, or the strand that created the reducer, holds the outside view.
bool outside_is_held(std::uintptr_t key) noexcept;

// Lets go of the outside view, which the caller's run holds, after folding in what other runs
// left meanwhile. Returns the number of reduces.
std::uint64_t release_outside(const sg_reducer *reducer) noexcept;

// Folds `view`, the result of the run `root`, into the outside view, or leaves it for the run that
// holds that. The order among runs is that of their ends: runs at the same time have no other.
// Returns the number of reduces, 0 or 1 more than what waited.
std::uint64_t deposit_outside(const sg_reducer *reducer, void *view, run &root) noexcept;

// Memory for the outside view of the reducer of `key`; null if there is none. A view of a word or
// less gets the word that belongs to the slot, so that the views of many small reducers lie side
// by side: from the heap they would be 32 bytes apart, which among 1024 reducers doubles the time
// of a lookup. Strands that share no set do not share these lines: outside views are all in the
// one set that is marked with the run.
void *allocate_outside(std::uintptr_t key, const sg_monoid &monoid) noexcept;

// Frees that memory, in which no value lives.
void free_outside(std::uintptr_t key, const sg_monoid &monoid, void *view) noexcept;

// Ends the outside view of a reducer that is destroyed, with what waits for it, and its slot has
// no holder from then on.
void destroy_outside(const sg_reducer *reducer) noexcept;

// What there is for each slot beside its elements is addresses from now on, but for the slots of
// the first `kept` pages; and memory for the slots of the pages `from` to `to`. False: the system
// refuses. For committed.cpp.
void forget_slot_memory(std::size_t kept) noexcept;
bool commit_slot_memory(std::size_t from, std::size_t to) noexcept;

// What guards the views that wait for a holder: held across a fork, so that the child finds their
// lists whole.
platform::spin_lock &waiting_views_lock();

// Ends the program: a reducer was destroyed too early.
[[noreturn]] void fail_outstanding();

// Ends the program with that message unless `entry`, found at `key`, is of the reducer that has the
// slot today.
void check_alive(std::uintptr_t key, const element &entry);

// Ends the program with that message if `right`, about to be reduced into an earlier view, is the
// outside view: nothing comes before that, so the earlier view is of a reducer that is gone.
void check_not_outside(std::uintptr_t key, const void *right);

} // namespace saguaro::hyperobjects
