// SPDX-License-Identifier: MIT
// The command line.
#pragma once

#include "common/tool.hpp"

namespace saguaro::topology_tool {

enum class format { text, json, svg };

struct options {
    unsigned thief = 0;
    format as = format::text;
};

using tools::bad_input;

// Throws bad_input. --help and --version print and end the program.
options read_options(int count, char **words);

} // namespace saguaro::topology_tool
