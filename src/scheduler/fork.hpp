// SPDX-License-Identifier: MIT
// A process with workers forks: the child has one thread, a copy of the one that forked.
//
// The other threads are gone from the child, with whatever locks they held. So the forking thread
// takes, before it forks, each lock that the child may need, in the lock order, and gives them back
// on both sides. The locks of joins are not among them: a join that another worker was at can never
// be completed in the child. README.md says what the child may do.
#pragma once

namespace saguaro::scheduler {

// Takes the locks. The lock that guards which runtime there is is the caller's, those of the stacks
// are taken by handlers of their own.
void lock_for_fork();

// Gives them back, in the parent or in the child.
void unlock_after_fork();

// In the child, after the locks were given back: nobody sleeps or works any more. If the calling
// thread is a worker, its flow goes on alone, and ends the process where it would need another.
void forget_others();

} // namespace saguaro::scheduler
