// SPDX-License-Identifier: MIT
// The records in which a job's threads publish what they wait for, and the search for spaces that
// wait for each other: README.md, "Deadlocks".
#pragma once

#include "spmc/layout.hpp"

#include <cstdint>

namespace saguaro::spmc {

struct awaited;

// How many threads this process has, without the one of the library that watches over its children
// and without those that do nothing until others let them (platform/idle_threads.hpp).
// Zero if the system does not tell. A system call, 1 µs.
std::uint32_t own_threads();

// A wait of the calling thread, as it tells others about it: nothing until the first `tell`.
class told_wait {
public:
    explicit told_wait(const awaited &what) : what_(what) {}
    // The wait is over.
    ~told_wait();

    told_wait(const told_wait &) = delete;
    told_wait &operator=(const told_wait &) = delete;

    // The thread waits as long as the word holds `expected`. Tells also how many threads the space
    // has by now. Nothing where the job's memory is used up.
    void tell(std::uint32_t expected);

    bool is_told() const { return record_ != nullptr; }

private:
    const awaited &what_;
    wait_record *record_ = nullptr;
    wait_record *around_ = nullptr; // of the wait that a signal handler with this one interrupts
};

// Ends the calling space with a line if this wait, which was told, and all those that could end it
// wait for each other. The line names who waits for whom. No space is taken for one that waits
// because it is slow: a wait counts only if its word has not changed, and a space waits only if all
// its threads do.
void end_in_a_deadlock(const awaited &what);

} // namespace saguaro::spmc
