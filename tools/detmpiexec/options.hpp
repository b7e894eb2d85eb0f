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
    bool inherits_listed_only = false;  // of the launcher's environment
    std::vector<std::string> inherited; // these variables
    std::string folder;                 // where it runs; empty: the launcher's
    std::vector<std::string> command;   // the program and its arguments
};

enum class binding { automatic, none, core, list };

struct options {
    std::vector<part> parts;
    bool tags_lines = false;
    binding binds = binding::automatic;
    std::vector<std::vector<int>> bind_list; // processors, for the ranks in turn
    std::vector<std::string> channels;       // kinds of those that are reserved
    int timeout = 0;                         // seconds; 0: none
};

// Ends the process with one line if something is wrong, and after --help and --version.
options read_options(int count, char **words);

} // namespace saguaro::detmpiexec
