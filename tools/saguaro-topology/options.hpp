// SPDX-License-Identifier: MIT
// The command line.
#pragma once

#include <stdexcept>

namespace saguaro::topology_tool {

enum class format { text, json, svg };

struct options {
    unsigned thief = 0;
    format as = format::text;
};

// Input that is not accepted. what() is one line.
class bad_input : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

// Throws bad_input. --help and --version print and end the program.
options read_options(int count, char **words);

} // namespace saguaro::topology_tool
