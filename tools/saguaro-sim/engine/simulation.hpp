// SPDX-License-Identifier: MIT
// The simulator: workers with deques run a spawn tree on a machine, and steal from each other.
#pragma once

#include "costs.hpp"
#include "machine.hpp"
#include "memory.hpp"
#include "program.hpp"
#include "timeline.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace saguaro::sim {

struct setup {
    std::string policy = "uniform"; // as SAGUARO_POLICY has it
    std::uint64_t seed = 0;         // other seeds, other victims
    costs cost;
    placement memory;
    timeline *picture = nullptr; // filled, if there is one
};

struct outcome {
    ps time = 0;     // from the begin of the program to its end
    ps working = 0;  // all workers together: computing and spawning
    ps stealing = 0; // from the look that finds something to its first instruction
    ps fencing = 0;  // what fences took from those who asked for them and from all others
    ps sleeping = 0;
    std::uint64_t events = 0;          // simulated ones: of the program, and looks for work
    std::vector<std::uint64_t> steals; // in the own node, then by the machine's levels
    std::uint64_t failed_looks = 0;
    std::uint64_t requests = 0;
    std::uint64_t fences = 0;
    std::uint64_t wakes = 0;
    traffic lines;

    std::uint64_t all_steals() const;
};

// The same arguments give the same outcome.
outcome simulate(const program &what, const machine &on, const setup &how);

} // namespace saguaro::sim
