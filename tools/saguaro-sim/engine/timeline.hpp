// SPDX-License-Identifier: MIT
// Each worker's activities in a fixed number of intervals: however long the simulation lasts, the
// picture takes the same memory.
#pragma once

#include "costs.hpp"

#include <array>
#include <cstddef>
#include <vector>

namespace saguaro::sim {

enum class activity { work, memory, sleep }; // the rest: it looks for work
inline constexpr std::size_t activities = 3;

class timeline {
public:
    static constexpr std::size_t intervals = 512;

    explicit timeline(unsigned workers) : shares_(workers) {}

    void add(unsigned worker, activity what, ps from, ps to);

    unsigned workers() const { return static_cast<unsigned>(shares_.size()); }
    ps interval() const { return interval_; }
    // How long a worker did something in an interval.
    ps during(unsigned worker, std::size_t interval, activity what) const {
        return shares_[worker][interval][static_cast<std::size_t>(what)];
    }

private:
    void double_intervals();

    using row = std::array<std::array<ps, activities>, intervals>;
    std::vector<row> shares_;
    ps interval_ = a_nanosecond;
};

} // namespace saguaro::sim
