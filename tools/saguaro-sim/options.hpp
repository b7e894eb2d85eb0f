// SPDX-License-Identifier: MIT
// The command line.
#pragma once

#include "engine/bad_input.hpp"
#include "engine/costs.hpp"
#include "engine/memory.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace saguaro::sim {

enum class format { text, json, svg };

// Where the memory of all objects is, with the name that the user gave it.
struct named_placement {
    std::string name;
    placement where;
};

struct options {
    std::string recording; // one of these two is given
    std::string workload;
    std::string write; // a file for the recording of the workload, or empty
    std::string topology;
    std::vector<unsigned> workers; // empty: as many as the machine has processors
    std::vector<std::string> policies;
    std::vector<named_placement> placements;
    std::vector<steals> protocols;
    std::uint64_t seed = 0;
    costs cost;
    format as = format::text;
};

// The end of a line that refuses a machine.
inline constexpr const char *topologies_accepted =
    "accepted is this, hwloc's notation, as \"pack:2 numa:1 core:4 pu:1\", or a file of lstopo's "
    "whose name ends in .xml";

// Throws bad_input. --help, --version and --workloads print and end the program.
options read_options(int count, char **words);

} // namespace saguaro::sim
