// SPDX-License-Identifier: MIT
// How a rank waits: it looks, tells others that it is blocked, and sleeps. ../../README.md, "A
// wait".
#pragma once

#include "mpi/core/clock/known_bounds.hpp"
#include "mpi/core/clock/work_clock.hpp"
#include "mpi/core/matching/matcher.hpp"
#include "mpi/core/rings/inbox.hpp"
#include "mpi/core/tools/counters.hpp"
#include "mpi/core/waiting/awaited_event.hpp"
#include "mpi/core/waiting/thread_waits.hpp"
#include "mpi/core/world/world.hpp"

#include <cstdint>
#include <vector>

namespace saguaro::mpi {

// Invariant: outside of a wait the rank's record says that it runs, and the bell's lowest bit is 0.
// While it sleeps, the bell's bit was set before the watchers' bits, and others have been told of
// all that it has read.
class waiter {
public:
    waiter(const world &of, std::uint32_t me, const inbox &in, known_bounds &bounds, matcher &match,
           rank_counters &counters);

    // Waits until it is over. Reads what comes meanwhile.
    void wait(awaited_event &what);
    // Waits for a request alone, which is the caller's only reason to be blocked. `least` is the
    // clock that the rank will have at least.
    void wait_for(request_object &what, clock_value least, const char *call);
    // A thread has been in the core, and others may wait.
    void wake_threads() {
        if (!threads_.is_empty())
            world_.ring_bell(me_);
    }

private:
    friend class thread_waits; // which looks and sleeps for several threads

    bool is_over(awaited_event &what) {
        return forced_ != nullptr ? what.force(*forced_) : what.is_over(bounds_.known());
    }
    bool needs_bounds(const awaited_event &what) const;
    bool is_crowded() const;
    std::uint32_t only_source(const awaited_event &what) const;
    void learn_bounds();
    void learn_more_bounds();
    bool read(awaited_event &what, bool asks);
    bool look(awaited_event &what, bool tells);
    bool look_before_sleep(awaited_event &what);
    void sleep(awaited_event &what);
    std::int64_t longest_nap(naps_until_work &naps) const;
    void tell_blocked(const awaited_event &what);
    void name_delaying_ranks() const;

    const world world_;
    const std::uint32_t me_;
    const inbox &in_;
    known_bounds &bounds_;
    matcher &matcher_;
    matching_state &state_;
    rank_counters &counters_;

    blockage why_; // kept for its memory
    const awaited_event *told_call_of_ = nullptr;
    const std::vector<int> *forced_ = nullptr; // what the present wait must decide
    thread_waits threads_;
};

} // namespace saguaro::mpi
