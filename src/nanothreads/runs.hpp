// SPDX-License-Identifier: MIT
// The runs that are under way in the process: their common mask, and how a thread that is none of a
// run finds it.
#pragma once

#include "nanothreads/runtime.hpp"

#include <atomic>
#include <cstdint>

namespace saguaro::nanothreads {

// A run is under way: from the first of its threads to the last.
class run_under_way {
public:
    // Gives the run its number, if it is accepted.
    explicit run_under_way(runtime &run);

    // Waits until the threads from outside have left it, of which one may have ended it.
    ~run_under_way();

    run_under_way(const run_under_way &) = delete;
    run_under_way &operator=(const run_under_way &) = delete;

    // There is one mask for all: not if others have stacks of another size.
    bool is_accepted() const { return accepted_; }

    runtime &run;
    run_under_way *next = nullptr; // in the list of all
    // Threads that act on the run from outside. It is found, and this made greater, under the lock
    // of the list, and so not after the run has been taken off it.
    std::atomic<unsigned> visitors{0};

private:
    bool accepted_ = false;
};

// The run of that number, with one visitor more, if it is under way; else null.
run_under_way *visit(std::uint16_t number);

// Calls act(runtime &) for the run of that number, which does not go meanwhile. False: there is
// none. `act` does not throw, and does not begin, end or wait for a run.
template <class Act>
bool with_run(std::uint16_t number, Act act) {
    run_under_way *const found = visit(number);
    if (found == nullptr)
        return false;
    act(found->run);
    // Release pairs with the acquire at the end of the run: the caller does not touch it any more.
    found->visitors.fetch_sub(1, std::memory_order_release);
    return true;
}

} // namespace saguaro::nanothreads
