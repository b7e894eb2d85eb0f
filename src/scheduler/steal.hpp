// SPDX-License-Identifier: MIT
// The thief's side: from choosing a victim to a piece of work.
#pragma once

#include "scheduler/worker.hpp"

namespace saguaro::scheduler {

// One try to find something to run: a root computation that waits to be begun, or what one try to
// steal brings. Nothing if it fails.
work find_work(worker &thief);

// The flow that runs is about to park although nothing of it was taken: makes its suspended
// parents, and their frames, ready for other workers (ready.hpp). The chain is empty afterwards.
void leave_parents_to_others();

// What heavy fences take on average, in ticks, after one that has taken `taken`; `before` is the
// average until then. Both are at least 1, and grow by no more than a quarter, rounded up.
std::uint64_t average_fence(std::uint64_t before, std::uint64_t taken);

// Whether `victim` looks as if it had something to take. No lock: a hint.
bool looks_rich(const worker &victim);

// The owner's pop of the slot `tail` of its own deque has found `exc` raised. True: the frame is
// gone. False: it is the owner's. Takes the deque's lock.
bool frame_is_gone(deque &d, sg_frame **tail);

// The flow that runs on `w`, the calling worker, is at its deque's lock: if a thief waits for an
// answer about the suspended parents below, it has it.
void answer_for_parents(worker &w);

// For a worker that will be a thief in a moment, and first waits for other lines: if it has one
// victim only, these fetch what it will read there. First the slot of the oldest suspended parent;
// then, when that is here, the parent.
void fetch_slot_of_only_victim(const worker &w);
void fetch_parent_of_only_victim(const worker &w);

// Makes the next pop of the flow that runs on `victim` ask, so that it hears of sleepers and of
// thieves that wait for a parent of the flow.
void make_ask(worker &victim);

} // namespace saguaro::scheduler
