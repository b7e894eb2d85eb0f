// SPDX-License-Identifier: MIT
// The clock of this rank.
#pragma once

#include "mpi/core/world/layout.hpp"

namespace saguaro::mpi {

// It never goes back. Other ranks learn of it when it is published: clock_board.hpp.
class rank_clock {
public:
    clock_value now() const { return now_; }
    void tick() { ++now_; }
    void advance_to(clock_value to) {
        if (to > now_)
            now_ = to;
    }

private:
    clock_value now_ = 0;
};

} // namespace saguaro::mpi
