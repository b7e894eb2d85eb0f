// SPDX-License-Identifier: MIT
// Threads that wait for the end of others and do nothing else: a search for a deadlock among the
// threads of a process leaves them out.
#pragma once

#include <atomic>

namespace saguaro::platform {

// A group of threads that one thread joins.
class joined_threads {
public:
    joined_threads() = default;
    joined_threads(const joined_threads &) = delete;
    joined_threads &operator=(const joined_threads &) = delete;

    // By the thread that made them: from now on it does nothing but wait until all have ended.
    void begin_to_join(int threads);

    // By each of them when it does nothing for the program any more. With the last one, which still
    // counts as a thread, the thread that joins counts again: it may go on from here.
    void leave();

private:
    std::atomic<int> left_{0}; // below zero if some leave before the other one begins to join
};

// How many threads of this process join a group with a thread that has not left. Never too many if
// the caller has counted the process's threads before: one that is gone has left. May be too few.
int joining_threads();

} // namespace saguaro::platform
