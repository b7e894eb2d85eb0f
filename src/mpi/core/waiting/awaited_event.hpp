// SPDX-License-Identifier: MIT
// The event that a call waits for.
#pragma once

#include "mpi/core/clock/clock_board.hpp"
#include "mpi/core/requests/requests.hpp"

#include <cstdint>
#include <vector>

namespace saguaro::mpi {

class awaited_event {
public:
    virtual ~awaited_event() = default;

    // Whether it has happened; or, if it asks for bounds, whether it is certain with these, and
    // everything up to them has been read.
    virtual bool is_over(const clock_bounds &known) = 0;

    // How the rank may go on. Of a poll there is nothing to say, which goes on by itself: false.
    virtual bool describe(blockage &out) const = 0;

    // Of a poll or a choice: what was decided, as places of requests or a source. Others: false.
    virtual bool outcome(std::vector<int> &) const { return false; }
    // Decides so, as soon as that is possible: then true. -order replay.
    virtual bool force(const std::vector<int> &) { return false; }
    // What it waits for until that is possible, as `describe`: a poll waits as well.
    virtual bool describe_forced(const std::vector<int> &, blockage &out) const {
        return describe(out);
    }

    bool asks = false;                       // for bounds, by the clock's order
    bool asks_by_any_order = false;          // turns depend on clocks in each of them
    std::uint32_t peer = any_rank;           // the only rank that can end the wait
    const char *call = "";                   // for the line about a deadlock
    bool is_alone = false;                   // no other thread comes in meanwhile
    const request_object *receive = nullptr; // that has to be complete, and nothing else
};

} // namespace saguaro::mpi
