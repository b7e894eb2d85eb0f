// SPDX-License-Identifier: MIT
// The bounds of other ranks' clocks that this rank knows, and the bound that it needs to decide.
#pragma once

#include "mpi/core/clock/clock_board.hpp"
#include "mpi/core/clock/order.hpp"
#include "mpi/core/clock/rank_clock.hpp"
#include "mpi/core/world/world.hpp"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace saguaro::mpi {

// Invariant: all messages of a source that are still unread have a stamp above `of(source,
// known())`, if the rank has drained its rings since it read the bounds.
class known_bounds {
public:
    known_bounds(world &of, std::uint32_t me, const rank_clock &own)
        : board(of, me), me_(me), own_(own), last_stamp_(of.capacity()), known_(of.capacity()) {}

    clock_board board;

    // As of the last `read` or `derive`.
    const clock_bounds &known() const { return known_; }
    // Before the rings are read: they have whatever was sent up to these bounds.
    void read() { board.read(known_); }
    // The same, with bounds that follow from others' blockages, and from their work if that may
    // decide what the rank waits for.
    void derive() {
        if (order::counts_work())
            board.learn_work(needed_);
        board.snapshot(known_);
    }
    // Whether no rank can ever go on.
    bool are_all_stuck() {
        bool all_stuck = false;
        board.snapshot(known_, &all_stuck);
        return all_stuck;
    }

    // A message of the source has been read, which has a stamp of its own.
    void note_stamp(std::uint32_t source, clock_value stamp) { last_stamp_[source] = stamp; }
    // All messages of the source that have not come have a stamp above this.
    clock_value of(std::uint32_t source, const clock_bounds &known) const {
        return std::max(known[source], source == me_ ? own_.now() : last_stamp_[source]);
    }

    // A bound that would decide what is undecided: the rank sleeps until another one publishes it.
    void wants(clock_value bound) { needed_ = std::min(needed_, bound); }
    // The least one that is wanted; `forever`: none is.
    clock_value needed() const { return needed_; }
    void want_nothing() { needed_ = forever; }

private:
    const std::uint32_t me_;
    const rank_clock &own_;
    std::vector<clock_value> last_stamp_; // of each source's ordinary messages
    clock_bounds known_;
    clock_value needed_ = forever;
};

} // namespace saguaro::mpi
