// SPDX-License-Identifier: MIT
// Threads of the system that the process keeps and lends: runs of nano-threads and instances of VMS
// take theirs here and give them back, so that a program that starts many of them does not make and
// end threads each time.
//
// A thread that nobody has rests: it sleeps, handles no signal, and is left out when a channel
// looks for a deadlock (idle_threads.hpp). README.md, "Threads that are lent", has the rules.
#pragma once

#include "platform/cpu_mask.hpp"
#include "platform/idle_threads.hpp"

#include <atomic>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <string>

namespace saguaro::platform {

struct kept_thread;

// The threads that one run borrows. Made, used and destroyed by the same thread, whose signal mask
// and processors they have, as if it had made them.
class lent_threads {
public:
    lent_threads();
    // Joins.
    ~lent_threads();
    lent_threads(const lent_threads &) = delete;
    lent_threads &operator=(const lent_threads &) = delete;

    // Has another thread of that name (thread.hpp) call work(argument), which does not throw: one
    // that rests, best one that had this name before, or a new one. Throws std::system_error or
    // std::bad_alloc if the system refuses that.
    void start(const std::string &name, void (*work)(void *), void *argument);

    // Waits until all calls have returned; the caller is idle meanwhile. What they did is visible
    // then. The next borrower finds these threads at rest.
    void join();

private:
    friend struct kept_thread;

    sigset_t signals_;
    const cpu_mask cpus_;
    int started_ = 0;
    joined_threads joined_;
    std::atomic<std::uint32_t> under_way_{0};
};

// Ends the threads that rest, and returns when the destructors of their thread_local variables have
// run. Any thread; also at the end of the process, or when the library is unloaded.
void end_resting_threads();

// How many rest: a hint, for tests.
std::size_t resting_threads();

} // namespace saguaro::platform
