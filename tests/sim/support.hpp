// SPDX-License-Identifier: MIT
// Machines and programs for the tests of the simulator.
#pragma once

#include "engine/simulation.hpp"
#include "engine/span.hpp"
#include "engine/workloads.hpp"

#include <numeric>
#include <vector>

namespace saguaro::sim {

// All processors are equally near.
inline machine uniform_machine(unsigned workers) {
    std::vector<int> cpus(workers);
    std::iota(cpus.begin(), cpus.end(), 0);
    return {std::make_shared<const platform::topology>(platform::topology::flat(cpus)), workers};
}

inline bool is_hwloc_here() {
    return platform::topology::can_read();
}

inline machine described_machine(const std::string &text, unsigned workers) {
    return {std::make_shared<const platform::topology>(*platform::topology::described(text)),
            workers};
}

// Nothing costs anything but work.
inline costs free_of_costs() {
    costs c;
    c.spawn = c.ask = c.look = c.steal = c.robbed = c.fence = c.interrupted = c.wake = c.waking = 0;
    return c;
}

inline setup with_costs(const costs &c, std::uint64_t seed = 0) {
    setup made;
    made.cost = c;
    made.seed = seed;
    return made;
}

} // namespace saguaro::sim
