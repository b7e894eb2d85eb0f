// SPDX-License-Identifier: MIT
// Adding activities to intervals, and doubling the intervals when they run out.
#include "timeline.hpp"

#include <algorithm>

namespace saguaro::sim {

void timeline::double_intervals() {
    for (row &each : shares_)
        for (std::size_t at = 0; at < intervals; ++at)
            for (std::size_t what = 0; what < activities; ++what)
                each[at][what] =
                    2 * at < intervals ? each[2 * at][what] + each[2 * at + 1][what] : 0;
    interval_ *= 2;
}

void timeline::add(unsigned worker, activity what, ps from, ps to) {
    while (to > interval_ * static_cast<ps>(intervals))
        double_intervals();
    while (from < to) {
        const ps at = from / interval_;
        const ps stop = std::min(to, (at + 1) * interval_);
        shares_[worker][static_cast<std::size_t>(at)][static_cast<std::size_t>(what)] +=
            stop - from;
        from = stop;
    }
}

} // namespace saguaro::sim
