// SPDX-License-Identifier: MIT
// Aborts of C functions: which strands are concerned, how their flows notice and come to their end.
// inlets.md has the protocol.
#pragma once

#include "saguaro/detail/frame.h"
#include "scheduler/deque.hpp"

namespace saguaro::scheduler {

struct full_frame;
struct spawned_child;
struct worker;

// The parent has aborted this child.
bool was_aborted(const spawned_child &c);

// The same of the child in whose strand one runs, or of one in whose strand that one runs, and so
// on. It stays so.
bool is_aborted(const spawned_child *strand);

// The child in whose strand a function runs that is to push at `slot`; null: in none that can be
// aborted, or an ordinary entry is between. The lock is held.
spawned_child *strand_at(const deque &d, sg_frame **slot);

// A pop of `slot` has asked, and its frame is not gone: whether its function has been aborted. Then
// its flow unwinds from now on, and all its pops ask. The owner, without the lock.
bool begins_to_unwind(deque &d, sg_frame **slot);

// The flow on `d`, which has just come back from an aborted callee, is to unwind.
void begin_unwinding(deque &d);

// The unwinding has come to a frame that was taken.
void end_unwinding(deque &d);

// Whether clones are returning on this stack because they were aborted.
bool is_unwinding(const deque &d);

// The slow clone of `f`, the first function on `d`, has returned unwinding. True: its child was
// aborted, it is to go on behind the spawn. False: it was aborted itself, and sees to the rest.
bool goes_on_without_child(full_frame &f, deque &d);

// `f` is about to go on: true if it was aborted above, and goes to its cleanup site instead, for
// the first time. Who has the frame.
bool goes_to_cleanup(full_frame &f);

// Aborts the children of `f` that are out.
void abort_children(full_frame &f);

} // namespace saguaro::scheduler
