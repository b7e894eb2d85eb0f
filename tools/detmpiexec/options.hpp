// SPDX-License-Identifier: MIT
// The launcher's command line.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace saguaro::detmpiexec {

// Ranks that run one program.
struct part {
    int ranks = 1;
    std::vector<std::pair<std::string, std::string>> environment;
    std::vector<std::string> command; // the program and its arguments
};

struct options {
    std::vector<part> parts;
    bool tags_lines = false;
};

// Ends the process with one line if something is wrong, and after --help and --version.
options read_options(int count, char **words);

} // namespace saguaro::detmpiexec
