// SPDX-License-Identifier: MIT
// All simulations that a command line asks for: each number of workers with each policy, each
// placement and each way to steal.
#pragma once

#include "engine/simulation.hpp"
#include "engine/span.hpp"
#include "options.hpp"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace saguaro::sim {

struct row {
    unsigned workers;
    std::string policy;
    std::string memory;
    steals how;
    outcome out;
};

struct sweep {
    std::string topology; // as it was described; empty: this machine
    std::size_t processors;
    unsigned nodes;
    std::vector<double> levels; // latencies between nodes, relative to the own one
    totals program;
    std::size_t bytes; // of the program in memory
    span bounds;
    std::vector<row> rows;
    double seconds; // that the simulations took
    std::optional<timeline> picture;
};

// Throws bad_input.
sweep simulate_all(const options &chosen);

} // namespace saguaro::sim
