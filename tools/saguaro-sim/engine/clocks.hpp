// SPDX-License-Identifier: MIT
// The next worker to act: the one with the earliest time, of equal times the one with the smallest
// number.
#pragma once

#include "costs.hpp"

#include <bit>
#include <cstdint>
#include <limits>
#include <vector>

namespace saguaro::sim {

class clocks {
public:
    static constexpr ps never = std::numeric_limits<ps>::max();

    explicit clocks(unsigned workers)
        : leaves_(std::bit_ceil(workers)), times_(leaves_, never), winners_(2 * leaves_) {
        for (unsigned leaf = 0; leaf < leaves_; ++leaf)
            winners_[leaves_ + leaf] = leaf;
        for (unsigned at = leaves_; --at > 0;)
            winners_[at] = better(winners_[2 * at], winners_[2 * at + 1]);
    }

    unsigned first() const { return winners_[1]; }
    ps time(unsigned worker) const { return times_[worker]; }

    // In log2(workers) steps.
    void set(unsigned worker, ps time) {
        times_[worker] = time;
        for (unsigned at = (leaves_ + worker) / 2; at > 0; at /= 2)
            winners_[at] = better(winners_[2 * at], winners_[2 * at + 1]);
    }

private:
    unsigned better(unsigned left, unsigned right) const {
        return times_[right] < times_[left] ? right : left;
    }

    unsigned leaves_;
    std::vector<ps> times_;
    std::vector<unsigned> winners_; // of each pair, the root at 1
};

} // namespace saguaro::sim
