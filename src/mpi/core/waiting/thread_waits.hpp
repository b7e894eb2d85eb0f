// SPDX-License-Identifier: MIT
// The waits of a rank's threads, if there are several: ../../README.md, "Threads".
#pragma once

#include "mpi/core/waiting/awaited_event.hpp"

#include <vector>

namespace saguaro::mpi {

class waiter;

// Invariant: each entry belongs to a thread that is inside `sleep_alone` or `wait`, and at most one
// of them sleeps on the rank's bell. The gate's lock protects all of it.
class thread_waits {
public:
    thread_waits() { waits_.reserve(8); } // a wait should not take memory of the program's

    bool is_empty() const { return waits_.empty(); }
    // Whether one of the threads sleeps on the rank's bell, or looks for all.
    bool has_sleeper() const { return has_sleeper_; }

    // The wait of a thread while others may wait.
    void wait(waiter &by, awaited_event &what);
    // The only thread that is inside sleeps. Another one may begin a session meanwhile, and finds
    // this wait among those of the rank: it wakes this thread, which then waits as all do.
    void sleep_alone(waiter &by, awaited_event &what);

    // As `awaited_event::describe`, for all of them.
    bool describe(const clock_bounds &known, blockage &out);

private:
    struct thread_wait {
        awaited_event &what;
        bool looks_again = false; // it seems to be over
    };
    class all_of_them;

    std::vector<thread_wait *> waits_;
    bool has_sleeper_ = false;
};

} // namespace saguaro::mpi
